import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PendingSignIn } from '../../../generated/api/types.gen';
import { hasCode } from '../../api/apiError';
import { pendingSignInOptions } from '../../api/authSteps';
import { problemOf } from '../../api/problem';
import { loginPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton, Delayed } from '../../ui/feedback/Skeletons';
import { WaysList } from '../../ui/forms/WaysList';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { TextLink } from '../../ui/link';
import { AuthFrame } from './AuthFrame';
import { Stack } from './parts';
import { passkeysExist } from './PasskeySignIn';
import { RecoveryFactor } from './RecoveryFactor';
import { CodeFactor } from './CodeFactor';
import { PasskeyFactor } from './PasskeyFactor';
import { useSignedIn } from './useSignedIn';

export type Method = PendingSignIn['methods'][number];

/** Best first: what cannot be phished, then what works once, then what is rare. */
const order: Method[] = ['passkey', 'totp', 'recovery_code'];

const texts: Record<Method, { title: string; subtitle: string; other: string }> = {
  passkey: {
    title: 'Confirm with a passkey',
    subtitle: 'Your password is right. Your account also asks for a passkey.',
    other: 'Use a passkey',
  },
  totp: {
    title: 'Enter your code',
    subtitle: 'Your password is right. Now the six digits that your authenticator app shows.',
    other: 'Use a code of your authenticator app',
  },
  recovery_code: {
    title: 'Use a recovery code',
    subtitle: 'One of the codes you kept when you set up the second factor. Each works once.',
    other: 'Use a recovery code',
  },
};

/** The second step of signing in. `next` is where one was going. */
export function TwoFactorPage({ next }: { next?: string | undefined }) {
  const pending = useQuery({
    ...pendingSignInOptions(),
    retry: false,
    // Looks once more when its time is over, so that the page does not ask for what nobody takes.
    refetchInterval: ({ state }) =>
      state.data ? Math.max(1000, Date.parse(state.data.expires_at) - Date.now() + 500) : false,
  });
  return (
    <AuthFrame>
      {pending.error ? (
        hasCode(pending.error, 'ERR-00-036') ? (
          <Expired next={next} />
        ) : (
          <PublicCard title="Confirm the sign-in">
            <ErrorNotice
              problem={problemOf(
                pending.error,
                'The sign-in could not be loaded',
                () => void pending.refetch(),
              )!}
            />
          </PublicCard>
        )
      ) : pending.data ? (
        <Factors pending={pending.data} next={next} />
      ) : (
        <Delayed role="status" aria-label="Loading" style={{ width: '100%', maxWidth: 400 }}>
          <CardSkeleton lines={4} />
        </Delayed>
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
  if (method === undefined) return <NoWay next={next} />;

  const { title, subtitle } = texts[method];
  const props = {
    attemptsLeft: pending.attempts_left,
    onSignedIn: () => signedIn(),
    // How many attempts are left, or that the sign-in is over.
    onRefused: () => void queryClient.invalidateQueries({ queryKey: pendingSignInOptions().queryKey }),
  };
  return (
    <PublicCard
      key={method}
      title={title}
      subtitle={subtitle}
      after={
        <>
          Not you, or the wrong account? <TextLink href={loginPath(next)}>Start again</TextLink>
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
      subtitle="There is no sign-in to confirm: it took too long, or there were too many wrong codes. Nobody was signed in."
    >
      <LinkButton href={loginPath(next)} variant="contained" color="primary" fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}

/** The account has only passkeys, and this browser knows none. */
function NoWay({ next }: { next: string | undefined }) {
  return (
    <PublicCard
      title="This browser knows no passkeys"
      subtitle="Your account asks for a passkey. Open this page in a browser that supports them, over https."
    >
      <LinkButton href={loginPath(next)} fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}
