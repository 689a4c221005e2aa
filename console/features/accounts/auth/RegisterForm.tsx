import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RegisterUser } from '../../../../generated/api/types.gen';
import { recordFeature } from '../../../analytics';
import { register as sendRegistration } from '../../../api/authSteps';
import { useProblem } from '../../../api/useProblem';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { EMAIL_MAX, emailFault, newPasswordFault } from './fields';
import { NewPasswordInput } from './NewPasswordInput';

interface Props {
  /** An invitation, which fixes the address. */
  invitation?: { email: string; token: string };
  submitLabel?: string;
  onSignedIn: () => Promise<void>;
  /** Called if the account must be confirmed through an emailed link first. */
  onCheckEmail: (email: string) => void | Promise<void>;
}

export function RegisterForm({
  invitation,
  submitLabel = 'Create account',
  onSignedIn,
  onCheckEmail,
}: Props) {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  /** The last password the server checked; its error applies only to that one. */
  const [sent, setSent] = useState('');
  const [tried, setTried] = useState(false);
  const email = invitation?.email ?? typed;
  const register = useMutation({
    mutationFn: sendRegistration,
    meta: { signsIn: true },
    onSuccess: ({ outcome }, body) => {
      recordFeature('registered');
      if (outcome === 'signed_in') return onSignedIn();
      return onCheckEmail(body.email);
    },
  });
  const { problem, waitSeconds } = useProblem(register.error, 'Couldn’t create the account');

  const submit = () => {
    setTried(true);
    if (emailFault(email) !== undefined || newPasswordFault(password) !== undefined) return;
    setSent(password);
    const body: RegisterUser = { email: email.trim(), password };
    if (name.trim() !== '') body.name = name.trim();
    if (invitation) body.invitation_token = invitation.token;
    register.mutate(body);
  };

  return (
    <FormShell
      aria-label="Create an account"
      error={problem}
      fields={['name', 'email', 'password']}
      pending={register.isPending || (register.isSuccess && register.data.outcome === 'signed_in')}
      waitSeconds={waitSeconds}
      onSubmit={submit}
      submitLabel={submitLabel}
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
        label="Email address"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={EMAIL_MAX}
        value={email}
        readOnly={invitation !== undefined}
        {...(invitation ? { help: 'The invitation is for this address.' } : {})}
        onChange={(event) => setTyped(event.target.value)}
        error={tried ? (emailFault(email) ?? fieldProblem(problem, 'email')) : undefined}
      />
      <NewPasswordInput
        value={password}
        onChange={setPassword}
        tried={tried}
        refusal={password === sent ? fieldProblem(problem, 'password') : undefined}
      />
    </FormShell>
  );
}
