import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode } from '../../../api/apiError';
import { passwordResetOptions } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCardSkeleton } from '../../../ui/feedback/Skeletons';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { AuthFrame } from './AuthFrame';
import { keptNext } from './keptNext';
import { InvalidResetLink, NewPassword } from './NewPassword';

/** Target of mailed reset links: sets a password, then signs in, with a second factor if there is one. */
export function ResetPasswordPage({ token }: { token: string }) {
  const link = useQuery({ ...passwordResetOptions(token), retry: false, refetchOnWindowFocus: false });
  // The form forgets it when it is sent, and opens it a moment later.
  const [next] = useState(() => keptNext('reset'));
  return (
    <AuthFrame>
      {link.data ? (
        <NewPassword
          token={token}
          email={link.data.email}
          next={next}
          title="Reset your password"
          subtitle="This ends all your sessions and signs you in here. If you have a second factor, you’ll need it."
        />
      ) : link.error ? (
        hasCode(link.error, 'ERR-00-035') ? (
          <InvalidResetLink />
        ) : (
          <PublicCard title="Reset your password">
            <ErrorNotice
              problem={problemOf(link.error, 'Couldn’t check the link', () => void link.refetch())!}
            />
          </PublicCard>
        )
      ) : (
        <PublicCardSkeleton lines={4} />
      )}
    </AuthFrame>
  );
}
