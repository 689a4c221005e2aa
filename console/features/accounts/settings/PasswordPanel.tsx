import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changePasswordMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Account, ChangePassword } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { newPasswordFault, PASSWORD_MAX, PASSWORD_MIN } from '../../../lib/accounts/credentials';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { Panel } from '../../../ui/layout/Panel';

/** Changes the password, or sets one for users who have only passkeys or single sign-on. */
export function PasswordPanel({ account }: { account: Account }) {
  const { email, has_password, password_changed_at } = account;
  return (
    <Panel
      title="Password"
      framed
      subtitle={
        has_password ? (
          <>
            Last changed{' '}
            {password_changed_at === null ? (
              'when you registered'
            ) : (
              <RelativeTime at={password_changed_at} inWords />
            )}
            . Changing it signs you out everywhere else; this browser stays signed in.
          </>
        ) : (
          'No password yet: you sign in with a passkey or your team’s provider. Setting one signs you out everywhere else.'
        )
      }
    >
      <PasswordForm email={email} has={has_password} />
    </Panel>
  );
}

function PasswordForm({ email, has }: { email: string; has: boolean }) {
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const toast = useToast();
  const change = useMutation({
    ...changePasswordMutation(),
    onSuccess: async () => {
      toast({
        tone: 'ok',
        title: has ? 'Password changed' : 'Password set',
        message: 'Other sessions have ended.',
      });
      setPresent('');
      setNext('');
      setTried(false);
      await stale('getAccount', 'listAccountSessions');
    },
  });
  const problem = problemOf(change.error, has ? 'Couldn’t change the password' : 'Couldn’t set the password');
  const wrong = isApiError(change.error, 401) ? 'Wrong password.' : undefined;
  const fault =
    has && next !== '' && next === present ? 'This is your current password.' : newPasswordFault(next);
  const submit = () => {
    setTried(true);
    if (fault !== undefined || (has && present === '')) return;
    const body: ChangePassword = { new_password: next, ...(has ? { current_password: present } : {}) };
    change.mutate({ body });
  };
  return (
    <FormShell
      aria-label="Password"
      error={wrong === undefined ? problem : null}
      fields={['current_password', 'new_password']}
      pending={change.isPending}
      onSubmit={submit}
      submitLabel={has ? 'Change password' : 'Set password'}
    >
      {/* Tells password managers which account this password belongs to. */}
      <input hidden readOnly type="text" name="username" autoComplete="username" value={email} />
      {has && (
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          maxLength={PASSWORD_MAX}
          value={present}
          onChange={(event) => setPresent(event.target.value)}
          error={
            tried
              ? present === ''
                ? 'Enter your current password.'
                : (fieldProblem(problem, 'current_password') ?? wrong)
              : undefined
          }
        />
      )}
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        maxLength={PASSWORD_MAX}
        help={`At least ${PASSWORD_MIN} characters. A few words are easier to remember than symbols.`}
        value={next}
        onChange={(event) => setNext(event.target.value)}
        error={tried ? (fault ?? fieldProblem(problem, 'new_password')) : undefined}
      />
    </FormShell>
  );
}
