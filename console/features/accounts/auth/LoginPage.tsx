import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { recordFeature } from '../../../analytics';
import { isApiError } from '../../../api/apiError';
import { isPending, signIn as sendSignIn } from '../../../api/auth';
import { useSession } from '../../../api/session';
import { useProblem } from '../../../api/useProblem';
import { linkSsoPath, registerPath, resetPasswordPath } from '../../../lib/paths';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem, type Problem } from '../../../ui/feedback/problem';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { TextLink } from '../../../ui/link';
import { AuthFrame } from './AuthFrame';
import { EMAIL_MAX, emailFault, PASSWORD_MAX } from './fields';
import { Or, Stack } from './authElements';
import { templateOf } from './templateOf';
import { passkeysExist, PasskeySignIn } from './PasskeySignIn';
import { useCapsLock } from './useCapsLock';
import { useSignedIn } from './useSignedIn';
import { useTypedEmail } from './useTypedEmail';

interface Props {
  /** Address to open after signing in. */
  next?: string | undefined;
  /** Whether the session ended: signed out in another browser, by a password change, or expired. */
  ended: boolean;
  /** Whether the visitor just deleted their account. */
  deleted: boolean;
  /** Why single sign-on failed. */
  ssoProblem: Problem | null;
  /** Single sign-on: passes the email address typed so far to the team's provider. */
  sso: (form: { email: string; onMissingEmail: () => void }) => ReactNode;
}

const noAccount = {
  invite: 'No account yet? You need an invitation from your team.',
  off: 'No account yet? Ask an administrator of this server for one.',
};

/** Sign-in with a password, a passkey or single sign-on. */
export function LoginPage({ next, ended, deleted, ssoProblem, sso }: Props) {
  const { features } = useSession();
  const [email, setEmail] = useTypedEmail();
  const [askEmail, setAskEmail] = useState(false);
  const [busy, setBusy] = useState(false);
  const signedIn = useSignedIn(next);
  const template = next === undefined ? null : templateOf(next);
  return (
    <AuthFrame>
      <PublicCard
        title="Sign in"
        subtitle={
          next === linkSsoPath
            ? 'Sign in with your own password or passkey to link single sign-on. No password yet? Request a reset link.'
            : next === undefined
              ? 'Use a password, a passkey or your team’s single sign-on.'
              : template === null
                ? 'Sign in to continue.'
                : `Sign in to deploy the template ${template}.`
        }
        after={
          features.registration ? (
            <>
              No account yet? <TextLink href={registerPath(next)}>Create one</TextLink>
            </>
          ) : (
            noAccount[features.registration_mode === 'off' ? 'off' : 'invite']
          )
        }
      >
        <Stack>
          {deleted && (
            <Notice tone="neutral" title="Account deleted">
              You’re signed out everywhere.
            </Notice>
          )}
          {ended && !ssoProblem && (
            <Notice tone="neutral" title="Your session ended">
              It expired, or was ended from another browser. Sign in to return to your page.
            </Notice>
          )}
          {ssoProblem && <ErrorNotice problem={ssoProblem} />}
          <PasswordForm
            email={email}
            onEmail={setEmail}
            askEmail={askEmail}
            onBusy={setBusy}
            next={next}
            onSignedIn={signedIn}
          />
        </Stack>
        <Or />
        <Stack>
          {passkeysExist() && <PasskeySignIn onSignedIn={signedIn} disabled={busy} />}
          {sso({
            email,
            onMissingEmail: () => {
              setAskEmail(true);
              document.getElementById(EMAIL_ID)?.focus();
            },
          })}
        </Stack>
      </PublicCard>
    </AuthFrame>
  );
}

const EMAIL_ID = 'sign-in-email';

interface FormProps {
  email: string;
  onEmail: (email: string) => void;
  /** Set when single sign-on was tried without an address. */
  askEmail: boolean;
  onBusy: (busy: boolean) => void;
  next: string | undefined;
  onSignedIn: ReturnType<typeof useSignedIn>;
}

function PasswordForm({ email, onEmail, askEmail, onBusy, next, onSignedIn }: FormProps) {
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const capsLock = useCapsLock();
  const signIn = useMutation({
    mutationFn: sendSignIn,
    meta: { signsIn: true },
    onMutate: () => onBusy(true),
    onSuccess: (answer) => {
      if (!isPending(answer)) recordFeature('signed_in');
      return onSignedIn(answer);
    },
    onError: () => onBusy(false),
  });

  const shown = useProblem(signIn.error, 'Couldn’t sign in');
  // Never says which of the two was wrong, because that would reveal whether the address has an account.
  const problem =
    shown.problem && isApiError(signIn.error, 401)
      ? {
          ...shown.problem,
          message: 'Wrong email or password.',
          suggestions: ['Check both. Passwords are case-sensitive.'],
        }
      : shown.problem;
  const emailError = tried || askEmail ? (emailFault(email) ?? fieldProblem(problem, 'email')) : undefined;
  const passwordError = tried && password === '' ? 'Enter your password.' : fieldProblem(problem, 'password');

  return (
    <FormShell
      aria-label="Sign in"
      error={problem}
      fields={['email', 'password']}
      pending={signIn.isPending || signIn.isSuccess}
      waitSeconds={shown.waitSeconds}
      onSubmit={() => {
        setTried(true);
        if (emailFault(email) === undefined && password !== '')
          signIn.mutate({ email: email.trim(), password });
      }}
      submitLabel="Sign in"
      pendingLabel="Signing in…"
      fullWidthSubmit
    >
      <TextInput
        id={EMAIL_ID}
        label="Email address"
        type="email"
        name="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={EMAIL_MAX}
        autoFocus
        value={email}
        onChange={(event) => onEmail(event.target.value)}
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
        help={
          <>
            {capsLock.on && 'Caps Lock is on. '}
            <TextLink href={resetPasswordPath(next)}>Forgot your password?</TextLink>
          </>
        }
        {...capsLock.props}
      />
    </FormShell>
  );
}
