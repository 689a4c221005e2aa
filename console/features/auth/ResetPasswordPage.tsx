import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode } from '../../api/apiError';
import { signIn } from '../../api/auth';
import { passwordResetOptions, resetPassword } from '../../api/authSteps';
import { problemOf } from '../../api/problem';
import { useProblem } from '../../api/useProblem';
import { loginPath, resetPasswordPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { fieldProblem } from '../../ui/feedback/problem';
import { CardSkeleton, Delayed } from '../../ui/feedback/Skeletons';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { AuthFrame } from './AuthFrame';
import { newPasswordFault } from './fields';
import { NewPasswordInput } from './NewPasswordInput';
import { useSignedIn } from './useSignedIn';

/** Where a mailed reset link leads: a new password, then in, by way of the second factor if there is one. */
export function ResetPasswordPage({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  const link = useQuery({ ...passwordResetOptions(token), retry: false, refetchOnWindowFocus: false });
  return (
    <AuthFrame>
      {done ? (
        <Done />
      ) : link.data ? (
        <NewPassword token={token} email={link.data.email} onNotSignedIn={() => setDone(true)} />
      ) : link.error ? (
        hasCode(link.error, 'ERR-00-035') ? (
          <Invalid />
        ) : (
          <PublicCard title="Set a new password">
            <ErrorNotice
              problem={problemOf(link.error, 'The link could not be checked', () => void link.refetch())!}
            />
          </PublicCard>
        )
      ) : (
        <Delayed role="status" aria-label="Loading" style={{ width: '100%', maxWidth: 400 }}>
          <CardSkeleton lines={4} />
        </Delayed>
      )}
    </AuthFrame>
  );
}

interface Props {
  token: string;
  email: string;
  onNotSignedIn: () => void;
}

function NewPassword({ token, email, onNotSignedIn }: Props) {
  const [password, setPassword] = useState('');
  /** The password the server last judged. */
  const [sent, setSent] = useState('');
  const [tried, setTried] = useState(false);
  const signedIn = useSignedIn(undefined);
  const reset = useMutation({
    mutationFn: (chosen: string) => resetPassword({ token, password: chosen }),
    meta: { signsIn: true },
    onSuccess: async (_nothing, chosen) => {
      try {
        await signedIn(await signIn({ email, password: chosen }));
      } catch {
        // The password is set all the same; signing in can be tried by hand.
        onNotSignedIn();
      }
    },
  });
  const { problem, waitSeconds } = useProblem(reset.error, 'The password was not changed');
  if (hasCode(reset.error, 'ERR-00-035')) return <Invalid />;

  return (
    <PublicCard
      title="Set a new password"
      subtitle="Every session of your account ends; then you are signed in here. If you have a second factor, it is asked for."
    >
      <FormShell
        aria-label="Set a new password"
        error={problem}
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
        {/* Shown, so that password managers know whose password it is, and people too. */}
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

function Invalid() {
  return (
    <PublicCard
      title="This link is not valid any more"
      subtitle="It was used, has expired or was replaced by a newer one. Your password has not been changed by it now."
    >
      <LinkButton href={resetPasswordPath} variant="contained" color="primary" fullWidth>
        Ask for a new link
      </LinkButton>
    </PublicCard>
  );
}

function Done() {
  return (
    <PublicCard title="Your password is set" subtitle="Sign in with it.">
      <LinkButton href={loginPath()} variant="contained" color="primary" fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}
