import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateAccountMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Account } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { refreshSession } from '../../../api/session';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { EmailPanel } from './EmailPanel';
import { Loaded } from './Loaded';
import { PasswordPanel } from './PasswordPanel';
import { accountOptions } from './queries';

export function ProfileSection() {
  const account = useQuery(accountOptions());
  return (
    <Loaded query={account} what="your account">
      {(data) => (
        <>
          <NamePanel account={data} />
          <EmailPanel account={data} />
          <PasswordPanel account={data} />
        </>
      )}
    </Loaded>
  );
}

function NamePanel({ account }: { account: Account }) {
  const [name, setName] = useState(account.username);
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    ...updateAccountMutation(),
    onSuccess: async (changed) => {
      queryClient.setQueryData(accountOptions().queryKey, changed);
      setName(changed.username);
      await refreshSession(queryClient);
      toast({ tone: 'ok', title: 'Name saved' });
    },
  });
  const problem = problemOf(save.error, 'Couldn’t save your name');
  const trimmed = name.trim();
  return (
    <Panel title="Name" framed>
      <FormShell
        aria-label="Name"
        error={problem}
        fields={['username']}
        pending={save.isPending}
        onSubmit={() => {
          if (trimmed !== '') save.mutate({ body: { username: trimmed } });
        }}
        submitLabel="Save name"
        {...(trimmed === account.username ? { blockedReason: 'No changes yet.' } : {})}
      >
        <TextInput
          label="Your name"
          help="Shown to members of your teams and in activity logs."
          value={name}
          maxLength={100}
          autoComplete="name"
          onChange={(event) => setName(event.target.value)}
          error={trimmed === '' ? 'Enter a name.' : fieldProblem(problem, 'username')}
        />
      </FormShell>
    </Panel>
  );
}
