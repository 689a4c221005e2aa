import { LinkButton } from '../../../ui/controls/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PendingSignIn } from '../../../../generated/api/types.gen';
import { hasCode } from '../../../api/apiError';
import { pendingSignInOptions } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { loginPath } from '../../../lib/paths';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCardSkeleton } from '../../../ui/feedback/Skeletons';
import { WaysList } from '../../../ui/forms/WaysList';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { TextLink } from '../../../ui/link';
import { AuthFrame } from './AuthFrame';
import { Stack } from './authElements';
import { passkeysExist } from './PasskeySignIn';
import { RecoveryFactor } from './RecoveryFactor';
import { CodeFactor } from './CodeFactor';
import { PasskeyFactor } from './PasskeyFactor';
import { useSignedIn } from './useSignedIn';

type Method = PendingSignIn['methods'][number];

/** In order of preference: phishing-resistant first, recovery codes last. */
const order: Method[] = ['passkey', 'totp', 'recovery_code'];

const texts: Record<Method, { title: string; subtitle: string; other: string }> = {
  passkey: {
    title: 'Confirm with a passkey',
    subtitle: 'Your account also requires a passkey.',
    other: 'Use a passkey',
  },
  totp: {
    title: 'Enter your code',
    subtitle: 'Enter the six-digit code from your authenticator app.',
    other: 'Use your authenticator app',
  },
  recovery_code: {
    title: 'Use a recovery code',
    subtitle: 'Enter one of your saved recovery codes. Each code works once.',
    other: 'Use a recovery code',
  },
};

/** The second step of signing in. `next` is the address to open afterward. */
export function TwoFactorPage({ next }: { next?: string | undefined }) {
  const pending = useQuery({
    ...pendingSignInOptions(),
    retry: false,
    // Refetches on expiry, so that the page doesn't ask for a factor that can no longer be accepted.
    refetchInterval: ({ state }) =>
      state.data ? Math.max(1000, Date.parse(state.data.expires_at) - Date.now() + 500) : false,
  });
  return (
    <AuthFrame>
      {pending.error ? (
        hasCode(pending.error, 'ERR-00-036') ? (
          <Expired next={next} />
        ) : (
          <PublicCard title="Confirm your sign-in">
            <ErrorNotice
              problem={problemOf(pending.error, 'Couldn’t load the sign-in', () => void pending.refetch())!}
            />
          </PublicCard>
        )
      ) : pending.data ? (
        <Factors pending={pending.data} next={next} />
      ) : (
        <PublicCardSkeleton lines={4} />
      )}
    </AuthFrame>
  );
}

function Factors({ pending, next }: { pending: PendingSignIn; next: string | undefined }) {
  const queryClient = useQueryClient();
  const signedIn = useSignedIn(next);
  const [chosen, setChosen] = useState<Method>();
  const methods = order.filter(
    (method) => pending.methods.includes(method) && (method !== 'passkey' || passkeysExist()),
  );
  const method = chosen ?? methods[0];
  if (method === undefined) return <PasskeysUnsupported next={next} />;

  const { title, subtitle } = texts[method];
  const props = {
    attemptsLeft: pending.attempts_left,
    onSignedIn: () => signedIn(),
    // Reloads the remaining attempts, or finds that the sign-in was canceled.
    onRefused: () => void queryClient.invalidateQueries({ queryKey: pendingSignInOptions().queryKey }),
  };
  return (
    <PublicCard
      key={method}
      title={title}
      subtitle={subtitle}
      after={
        <>
          Wrong account? <TextLink href={loginPath(next)}>Start over</TextLink>
        </>
      }
    >
      <Stack>
        {method === 'passkey' && <PasskeyFactor {...props} />}
        {method === 'totp' && <CodeFactor {...props} />}
        {method === 'recovery_code' && <RecoveryFactor {...props} />}
        <WaysList
          ways={methods
            .filter((other) => other !== method)
            .map((other) => ({ id: other, label: texts[other].other }))}
          onChoose={setChosen}
        />
      </Stack>
    </PublicCard>
  );
}

function Expired({ next }: { next: string | undefined }) {
  return (
    <PublicCard
      title="Sign in again"
      subtitle="This sign-in timed out or had too many wrong codes. You weren’t signed in."
    >
      <LinkButton href={loginPath(next)} variant="contained" fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}

/** Shown if the account has only passkeys and this browser doesn't support them. */
function PasskeysUnsupported({ next }: { next: string | undefined }) {
  return (
    <PublicCard
      title="Passkeys aren’t supported here"
      subtitle="Your account requires a passkey. Open this page over HTTPS in a browser that supports passkeys."
    >
      <LinkButton href={loginPath(next)} fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}
