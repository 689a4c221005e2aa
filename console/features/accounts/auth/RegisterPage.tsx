import styled from '@emotion/styled';
import { LinkButton } from '../../../ui/controls/Button';
import { useState } from 'react';
import { useSession } from '../../../api/session';
import { loginPath } from '../../../lib/paths';
import { NO_HOST_YET } from '../../../lib/texts/noHost';
import { Notice } from '../../../ui/feedback/Notice';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { TextLink } from '../../../ui/link';
import { space } from '../../../ui/theme';
import { AuthFrame } from './AuthFrame';
import { keepNext } from './keptNext';
import { MailSent } from './MailSent';
import { Email } from './authElements';
import { RegisterForm } from './RegisterForm';
import { useSignedIn } from './useSignedIn';

const Before = styled('div')({ marginBottom: space(5) });

/** Creates an account and signs in, immediately or after the address is confirmed. */
export function RegisterPage({ next }: { next?: string | undefined }) {
  const { features, environment } = useSession();
  const [sentTo, setSentTo] = useState<string>();
  const signedIn = useSignedIn(next);
  const checkEmail = (email: string) => {
    keepNext('registration', next);
    setSentTo(email);
  };
  return (
    <AuthFrame>
      {!features.registration ? (
        <Closed mode={features.registration_mode === 'off' ? 'off' : 'invite'} next={next} />
      ) : sentTo === undefined ? (
        <PublicCard
          title="Create an account"
          subtitle={
            features.registration_mode === 'open'
              ? 'You get your own team and can invite others to it.'
              : 'The first account on this server becomes its administrator. Everyone else needs an invitation.'
          }
          after={
            <>
              Have an account? <TextLink href={loginPath(next)}>Sign in</TextLink>
            </>
          }
        >
          {features.registration_mode === 'open' && !environment.open_hosts && (
            <Before>
              <Notice tone="attention" title={NO_HOST_YET.title}>
                {NO_HOST_YET.advice}
              </Notice>
            </Before>
          )}
          <RegisterForm onSignedIn={signedIn} onCheckEmail={checkEmail} />
        </PublicCard>
      ) : (
        // Registered addresses get the same answer, so that it doesn't reveal whether an account exists.
        <MailSent
          email={sentTo}
          what={
            <>
              Open the link in the message to <Email>{sentTo}</Email> to confirm your address.
            </>
          }
          again="No message after a few minutes? Check your spam folder, or sign in now to send it again."
          next={next}
          onBack={() => setSentTo(undefined)}
        />
      )}
    </AuthFrame>
  );
}

const closed = {
  invite: {
    title: 'You need an invitation',
    subtitle:
      'This server is invite-only. Ask an admin of your team for an invitation, or an administrator of this server for an account.',
  },
  off: {
    title: 'Registration is closed',
    subtitle: 'Only administrators can create accounts on this server. Ask one for an account.',
  },
};

function Closed({ mode, next }: { mode: 'invite' | 'off'; next: string | undefined }) {
  return (
    <PublicCard {...closed[mode]}>
      <LinkButton href={loginPath(next)} variant="contained" fullWidth>
        Sign in
      </LinkButton>
    </PublicCard>
  );
}
