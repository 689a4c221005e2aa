import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requestPasswordReset } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { loginPath } from '../../../lib/paths';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { PublicCard } from '../../../ui/layout/PublicFrame';
import { TextLink } from '../../../ui/link';
import { AuthFrame } from './AuthFrame';
import { EMAIL_MAX, emailFault } from './fields';
import { keepNext } from './keptNext';
import { MailSent } from './MailSent';
import { Email } from './authElements';
import { useTypedEmail } from './useTypedEmail';

/** Requests a password reset link. The answer doesn't reveal whether the address has an account. */
export function ForgotPasswordPage({ next }: { next?: string | undefined }) {
  const [email, setEmail] = useTypedEmail();
  const [tried, setTried] = useState(false);
  const request = useMutation({
    mutationFn: requestPasswordReset,
    meta: { signsIn: true },
    onSuccess: () => keepNext('reset', next),
  });
  const { problem, waitSeconds } = useProblem(request.error, 'Couldn’t request the link');

  if (request.isSuccess) {
    const sentTo = request.variables.email;
    return (
      <AuthFrame>
        <MailSent
          email={sentTo}
          what={
            <>
              If <Email>{sentTo}</Email> has an account, we sent it a link to reset the password. The link is
              single-use and expires soon.
            </>
          }
          again="No message after a few minutes? Check your spam folder and make sure this is the address you signed up with."
          next={next}
          onBack={() => request.reset()}
        />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame>
      <PublicCard
        title="Reset your password"
        subtitle="We’ll email you a reset link. Your second factor stays the same."
        after={
          <>
            Remembered it? <TextLink href={loginPath(next)}>Sign in</TextLink>
          </>
        }
      >
        <FormShell
          aria-label="Reset your password"
          error={problem}
          fields={['email']}
          pending={request.isPending}
          waitSeconds={waitSeconds}
          onSubmit={() => {
            setTried(true);
            if (emailFault(email) === undefined) request.mutate({ email: email.trim() });
          }}
          submitLabel="Send reset link"
          pendingLabel="Sending…"
          fullWidthSubmit
        >
          <TextInput
            label="Email address"
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={EMAIL_MAX}
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={tried ? (emailFault(email) ?? fieldProblem(problem, 'email')) : undefined}
          />
        </FormShell>
      </PublicCard>
    </AuthFrame>
  );
}
