import { useState } from 'react';
import { useSession } from '../../api/session';
import { loginPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { TextLink } from '../../ui/link';
import { AuthFrame } from './AuthFrame';
import { MailSent } from './MailSent';
import { Email } from './parts';
import { RegisterForm } from './RegisterForm';
import { useSignedIn } from './useSignedIn';

/** Making an account: signed in at once, or by a link in an e-mail. */
export function RegisterPage({ next }: { next?: string | undefined }) {
  const { features } = useSession();
  const [sentTo, setSentTo] = useState<string>();
  const signedIn = useSignedIn(next);
  return (
    <AuthFrame>
      {!features.registration ? (
        <Closed next={next} />
      ) : sentTo === undefined ? (
        <PublicCard
          title="Create an account"
          subtitle="You get a team of your own, and can invite others to it."
          after={
            <>
              Have an account? <TextLink href={loginPath(next)}>Sign in</TextLink>
            </>
          }
        >
          <RegisterForm onSignedIn={signedIn} onCheckEmail={setSentTo} />
        </PublicCard>
      ) : (
        // The same for an address that has an account: nobody learns which.
        <MailSent
          email={sentTo}
          what={
            <>
              The message to <Email>{sentTo}</Email> has a link that confirms your address.
            </>
          }
          again="No message after a few minutes? Look in spam. You can also sign in now and have it sent again."
          next={next}
        />
      )}
    </AuthFrame>
  );
}

function Closed({ next }: { next: string | undefined }) {
  return (
    <PublicCard
      title="Accounts are made by invitation"
      subtitle="Registration is closed on this server. Ask an admin of your team for an invitation, or the administrator of this server for an account."
    >
      <LinkButton href={loginPath(next)} variant="contained" color="primary" fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}
