import { LinkButton } from '../../../ui/controls/Button';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { hasCode } from '../../../api/apiError';
import { signIn } from '../../../api/auth';
import { resetPassword } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { loginPath, resetPasswordPath } from '../../../lib/paths';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { newPasswordFault } from './fields';
import { keepNext, keptNext } from './keptNext';
import { NewPasswordInput } from './NewPasswordInput';
import { useSignedIn } from './useSignedIn';

interface Props {
  /** Token from the reset link. */
  token: string;
  email: string;
  /** Opened after signing in; the user's own team without one. */
  next?: string | undefined;
  title: string;
  subtitle: ReactNode;
}

/** Sets a password with a reset token, then signs in with it. */
export function NewPassword({ token, email, next, title, subtitle }: Props) {
  const [done, setDone] = useState(false);
  const [password, setPassword] = useState('');
  /** The password the server last rejected or accepted. */
  const [sent, setSent] = useState('');
  const [tried, setTried] = useState(false);
  const signedIn = useSignedIn(next);
  const reset = useMutation({
    mutationFn: (chosen: string) => resetPassword({ token, password: chosen }),
    meta: { signsIn: true },
    onSuccess: async (_nothing, chosen) => {
      keepNext('reset', undefined);
      try {
        await signedIn(await signIn({ email, password: chosen }));
      } catch {
        // If signing in fails, the password is still set and the user can sign in manually.
        setDone(true);
      }
    },
  });
  const { problem, waitSeconds } = useProblem(reset.error, 'Couldn’t set the password');
  if (done) return <Done next={next} />;
  if (hasCode(reset.error, 'ERR-00-035')) return <InvalidResetLink />;

  return (
    <PublicCard title={title} subtitle={subtitle}>
      <FormShell
        aria-label="Reset your password"
        error={problem}
        fields={['password']}
        pending={reset.isPending || reset.isSuccess}
        waitSeconds={waitSeconds}
        onSubmit={() => {
          setTried(true);
          if (newPasswordFault(password) !== undefined) return;
          setSent(password);
          reset.mutate(password);
        }}
        submitLabel="Set password"
        pendingLabel="Setting password…"
        fullWidthSubmit
      >
        {/* Visible so that password managers and users see which account this is. */}
        <TextInput label="Account" type="email" name="email" autoComplete="username" readOnly value={email} />
        <NewPasswordInput
          label="New password"
          value={password}
          onChange={setPassword}
          tried={tried}
          refusal={password === sent ? fieldProblem(problem, 'password') : undefined}
          autoFocus
        />
      </FormShell>
    </PublicCard>
  );
}

export function InvalidResetLink() {
  return (
    <PublicCard
      title="This link is no longer valid"
      subtitle="It was used, expired or was replaced by a newer one. Your password hasn’t changed."
    >
      <LinkButton href={resetPasswordPath(keptNext('reset'))} variant="contained" fullWidth>
        Request a new link
      </LinkButton>
    </PublicCard>
  );
}

function Done({ next }: { next: string | undefined }) {
  return (
    <PublicCard title="Password set" subtitle="Sign in with your new password.">
      <LinkButton href={loginPath(next)} variant="contained" fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}
