import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EmailVerification } from '../../../generated/api/types.gen';
import { hasCode } from '../../api/apiError';
import { verifyEmail } from '../../api/authSteps';
import { refreshSession, useSession } from '../../api/session';
import { useProblem } from '../../api/useProblem';
import { loginPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { Spinner } from '../../ui/controls/Spinner';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { AuthFrame } from './AuthFrame';
import { Email, Stack } from './parts';
import { ResendVerification } from './ResendVerification';

/** Where a mailed confirmation leads. It takes a press: mail scanners open links, too. */
export function VerifyEmailPage({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: verifyEmail,
    meta: { signsIn: true },
    onSuccess: () => refreshSession(queryClient),
  });
  const { problem, waitSeconds } = useProblem(verify.error, 'Your address was not confirmed');

  if (verify.isSuccess)
    return (
      <AuthFrame>
        <Done verification={verify.data} />
      </AuthFrame>
    );
  if (hasCode(verify.error, 'ERR-00-035'))
    return (
      <AuthFrame>
        <Invalid />
      </AuthFrame>
    );
  return (
    <AuthFrame>
      <PublicCard
        title="Confirm your e-mail address"
        subtitle="Confirm if you made the account, or asked to change its address."
      >
        <Stack>
          {problem && <ErrorNotice problem={problem} />}
          <Button
            variant="contained"
            color="primary"
            fullWidth
            autoFocus
            disabled={verify.isPending || waitSeconds !== undefined}
            startIcon={verify.isPending ? <Spinner /> : undefined}
            onClick={() => verify.mutate({ token })}
          >
            {waitSeconds !== undefined
              ? `Try again in ${waitSeconds} s`
              : verify.isPending
                ? 'One moment…'
                : 'Confirm'}
          </Button>
          <Button
            variant="text"
            fullWidth
            disabled={verify.isPending}
            onClick={() => verify.mutate({ token, decline: true })}
          >
            This was not me
          </Button>
        </Stack>
      </PublicCard>
    </AuthFrame>
  );
}

const titles: Record<EmailVerification['outcome'], string> = {
  verified: 'Address confirmed',
  half: 'One of two confirmed',
  changed: 'Address changed',
  declined: 'The change is given up',
  disowned: 'Nobody can use the account',
};

const said: Record<EmailVerification['outcome'], (email: string) => ReactNode> = {
  verified: (email) => (
    <>
      <Email>{email}</Email> is confirmed. You can deploy now.
    </>
  ),
  half: (email) => (
    <>
      <Email>{email}</Email> has agreed to the change. It happens once the link that was mailed to the other
      address is confirmed, too.
    </>
  ),
  changed: () =>
    'Both addresses have agreed. From now on you sign in with the new one, and messages go there.',
  disowned: (email) => (
    <>
      Somebody made an account with <Email>{email}</Email>. Its password and sessions are gone; it is yours
      only if you reset the password.
    </>
  ),
  declined: () =>
    'The address of the account stays as it was. If you did not ask for the change, set a new password: somebody else may know yours.',
};

function Done({ verification: { outcome, email } }: { verification: EmailVerification }) {
  return (
    <div role="status" style={{ width: '100%', maxWidth: 400 }}>
      <PublicCard title={titles[outcome]} subtitle={said[outcome](email)}>
        <Continue />
      </PublicCard>
    </div>
  );
}

function Invalid() {
  const { user } = useSession();
  const resend = user !== null && !user.email_verified;
  return (
    <PublicCard
      title="This link is not valid any more"
      subtitle={
        user?.email_verified
          ? `It was used, has expired or was replaced by a newer one. The address of your account, ${user.email}, is confirmed.`
          : user
            ? 'It was used, has expired or was replaced by a newer one.'
            : 'It was used, has expired or was replaced by a newer one. Sign in to see whether your address is confirmed, and to have the link sent again.'
      }
    >
      <Stack>
        {resend && <ResendVerification variant="contained" />}
        <Continue secondary={resend} />
      </Stack>
    </PublicCard>
  );
}

function Continue({ secondary = false }: { secondary?: boolean }) {
  const { user } = useSession();
  return (
    <LinkButton
      href={user ? '/' : loginPath()}
      fullWidth
      {...(secondary ? {} : { variant: 'contained', color: 'primary' })}
    >
      {user ? 'Go to the console' : 'Go to sign in'}
    </LinkButton>
  );
}
