import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { requestPasswordReset } from '../../api/authSteps';
import { useProblem } from '../../api/useProblem';
import { loginPath } from '../../lib/paths';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { TextLink } from '../../ui/link';
import { AuthFrame } from './AuthFrame';
import { EMAIL_MAX, emailFault } from './fields';
import { MailSent } from './MailSent';
import { Email } from './parts';

/** Asking for a link to set a new password. Says the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);
  const request = useMutation({ mutationFn: requestPasswordReset, meta: { signsIn: true } });
  const { problem, waitSeconds } = useProblem(request.error, 'The link was not asked for');

  if (request.isSuccess) {
    const sentTo = request.variables.email;
    return (
      <AuthFrame>
        <MailSent
          email={sentTo}
          what={
            <>
              If <Email>{sentTo}</Email> has an account, a link to set a new password is on its way. It works
              once, and not for long.
            </>
          }
          again="No message after a few minutes? Look in spam, and check that this is the address you signed up with."
        />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame>
      <PublicCard
        title="Set a new password"
        subtitle="Enter the address of your account. You get a link by e-mail; your second factor stays as it is."
        after={
          <>
            Remembered it? <TextLink href={loginPath()}>Sign in</TextLink>
          </>
        }
      >
        <FormShell
          aria-label="Set a new password"
          error={problem}
          pending={request.isPending}
          waitSeconds={waitSeconds}
          onSubmit={() => {
            setTried(true);
            if (emailFault(email) === undefined) request.mutate({ email: email.trim() });
          }}
          submitLabel="Send the link"
          pendingLabel="Sending…"
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
            error={tried ? (emailFault(email) ?? fieldProblem(problem, 'email')) : undefined}
          />
        </FormShell>
      </PublicCard>
    </AuthFrame>
  );
}
