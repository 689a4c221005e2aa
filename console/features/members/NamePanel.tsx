import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { updateWorkspaceMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { SessionTeam } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { refreshSession, type May } from '../../api/session';
import { useStale } from '../../api/useStale';
import { fieldProblem } from '../../ui/feedback/problem';
import { useToast } from '../../ui/feedback/toasts';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';

export function NamePanel({ team, may }: { team: SessionTeam; may: May }) {
  const [name, setName] = useState(team.name);
  const queryClient = useQueryClient();
  const router = useRouter();
  const stale = useStale();
  const toast = useToast();
  const save = useMutation({
    ...updateWorkspaceMutation(),
    onSuccess: async () => {
      await stale('getWorkspace');
      await refreshSession(queryClient);
      // The breadcrumb's words come from the route.
      await router.invalidate();
      toast({ tone: 'ok', title: 'Name saved' });
    },
  });
  const problem = problemOf(save.error, 'The name was not saved');
  const trimmed = name.trim();
  return (
    <Panel title="Team name" framed>
      <FormShell
        aria-label="Rename the team"
        error={problem}
        pending={save.isPending}
        onSubmit={() => {
          if (trimmed !== '') save.mutate({ path: { slug: team.slug }, body: { name: trimmed } });
        }}
        submitLabel="Save name"
        {...(!may.allowed
          ? { blockedReason: may.reason ?? '' }
          : trimmed === team.name
            ? { blockedReason: '' }
            : {})}
      >
        <TextInput
          label="Name of the team"
          value={name}
          maxLength={100}
          autoComplete="organization"
          disabled={!may.allowed}
          onChange={(event) => setName(event.target.value)}
          error={trimmed === '' ? 'A name is needed.' : fieldProblem(problem, 'name')}
        />
      </FormShell>
    </Panel>
  );
}
