import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { recordFeature } from '../../analytics';
import { register as sendRegistration } from '../../api/auth';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { loginPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { PasswordInput } from '../../ui/forms/PasswordInput';
import { TextInput } from '../../ui/forms/TextInput';
import { PublicCard } from '../../ui/layout/PublicFrame';
import { TextLink } from '../../ui/link';
import { AuthFrame } from './AuthFrame';
import { EMAIL_MAX, emailFault, newPasswordFault, PASSWORD_MAX, PASSWORD_MIN } from './fields';
import { useCapsLock } from './useCapsLock';
import { useSignedIn } from './useSignedIn';

interface Props {
  next?: string;
}

/** Making an account: signed in at once, or by a link in an e-mail where the server wants that. */
export function RegisterPage({ next }: Props) {
  const { features } = useSession();
  const [sentTo, setSentTo] = useState<string>();
  return (
    <AuthFrame>
      {!features.registration ? (
        <Closed next={next} />
      ) : sentTo === undefined ? (
        <RegisterForm next={next} onSent={setSentTo} />
      ) : (
        <Sent email={sentTo} mail={features.mail} next={next} />
      )}
    </AuthFrame>
  );
}

function RegisterForm({ next, onSent }: { next: string | undefined; onSent: (email: string) => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const capsLock = useCapsLock();
  const signedIn = useSignedIn(next);
  const register = useMutation({
    mutationFn: sendRegistration,
    onSuccess: ({ outcome }, sent) => {
      recordFeature('registered');
      if (outcome === 'signed_in') return signedIn();
      onSent(sent.email);
      return undefined;
    },
  });

  const problem = problemOf(register.error, 'The account was not made');
  const submit = () => {
    setTried(true);
    if (emailFault(email) !== undefined || newPasswordFault(password) !== undefined) return;
    register.mutate({ email: email.trim(), password, ...(name.trim() === '' ? {} : { name: name.trim() }) });
  };
  const tooShort = newPasswordFault(password);
  const passwordHelp =
    password === '' || tooShort === undefined
      ? `At least ${PASSWORD_MIN} characters. A few words are easier to remember than signs.`
      : tooShort;

  return (
    <PublicCard
      title="Create an account"
      subtitle="You get a team of your own, and can deploy at once."
      after={
        <>
          Have an account? <TextLink href={loginPath(next)}>Sign in</TextLink>
        </>
      }
    >
      <FormShell
        aria-label="Create an account"
        error={problem}
        pending={register.isPending || (register.isSuccess && register.data.outcome === 'signed_in')}
        onSubmit={submit}
        submitLabel="Create account"
        pendingLabel="Creating account…"
        fullWidthSubmit
      >
        <TextInput
          label="Name"
          optional
          name="name"
          autoComplete="name"
          maxLength={100}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={fieldProblem(problem, 'name')}
        />
        <TextInput
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={EMAIL_MAX}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={tried ? (emailFault(email) ?? fieldProblem(problem, 'email')) : undefined}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="new-password"
          maxLength={PASSWORD_MAX}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={tried ? (tooShort ?? fieldProblem(problem, 'password')) : undefined}
          help={capsLock.on ? 'Caps Lock is on.' : tried && tooShort ? undefined : passwordHelp}
          {...capsLock.props}
        />
      </FormShell>
    </PublicCard>
  );
}

/** The same for an address that has an account: nobody learns which. */
function Sent({ email, mail, next }: { email: string; mail: boolean; next: string | undefined }) {
  return (
    <PublicCard
      title="Check your e-mail"
      subtitle={
        mail
          ? `We have written to ${email}. The link in the message signs you in; it may take a minute and land in spam.`
          : `This server sends no mail, so ${email} cannot be confirmed. If you have an account already, sign in with it; otherwise ask an administrator.`
      }
    >
      <LinkButton href={loginPath(next)} variant="contained" color="primary" fullWidth>
        Go to sign in
      </LinkButton>
    </PublicCard>
  );
}

function Closed({ next }: Props) {
  return (
    <PublicCard
      title="Accounts are made by invitation"
      subtitle="Registration is switched off on this server. Ask its administrator for an account."
    >
      <LinkButton href={loginPath(next)} variant="contained" color="primary" fullWidth>
        Sign in
      </LinkButton>
    </PublicCard>
  );
}
