import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { recordFeature } from '../../analytics';
import { isApiError } from '../../api/apiError';
import { signIn as sendSignIn } from '../../api/auth';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { registerPath } from '../../lib/paths';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { PasswordInput } from '../../ui/forms/PasswordInput';
import { TextInput } from '../../ui/forms/TextInput';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { TextLink } from '../../ui/link';
import { AuthFrame } from './AuthFrame';
import { EMAIL_MAX, emailFault, PASSWORD_MAX } from './fields';
import { useCapsLock } from './useCapsLock';
import { useSignedIn } from './useSignedIn';

/** Signing in. `next` is where one was going. */
export function LoginPage({ next }: { next?: string }) {
  const { features } = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const capsLock = useCapsLock();
  const signedIn = useSignedIn(next);
  const signIn = useMutation({
    mutationFn: sendSignIn,
    meta: { signsIn: true },
    onSuccess: () => {
      recordFeature('signed_in');
      return signedIn();
    },
  });

  const problem = isApiError(signIn.error, 401)
    ? {
        ...problemOf(signIn.error, 'You are not signed in')!,
        message: 'E-mail address and password do not belong together.',
        suggestions: ['Check both. Passwords tell small letters from capitals.'],
      }
    : problemOf(signIn.error, 'You are not signed in');
  const emailError = tried ? (emailFault(email) ?? fieldProblem(problem, 'email')) : undefined;
  const passwordError = tried && password === '' ? 'Enter your password.' : fieldProblem(problem, 'password');

  const submit = () => {
    setTried(true);
    if (emailFault(email) === undefined && password !== '') signIn.mutate({ email: email.trim(), password });
  };

  return (
    <AuthFrame>
      <PublicCard
        title="Sign in"
        subtitle={
          next === undefined
            ? 'With your e-mail address and password.'
            : 'Then you go on to the page you asked for.'
        }
        {...(features.registration
          ? {
              after: (
                <>
                  No account yet? <TextLink href={registerPath(next)}>Create one</TextLink>
                </>
              ),
            }
          : {})}
      >
        <FormShell
          aria-label="Sign in"
          error={problem}
          pending={signIn.isPending || signIn.isSuccess}
          onSubmit={submit}
          submitLabel="Sign in"
          pendingLabel="Signing in…"
          fullWidthSubmit
        >
          <TextInput
            label="E-mail address"
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={EMAIL_MAX}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={emailError}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            maxLength={PASSWORD_MAX}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={passwordError}
            {...(capsLock.on ? { help: 'Caps Lock is on.' } : {})}
            {...capsLock.props}
          />
        </FormShell>
      </PublicCard>
    </AuthFrame>
  );
}
