import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { updateWorkspace } from '../../../../generated/api/sdk.gen';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { refreshSession, type May } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { conflictReason, useVersionedForm } from '../../../api/versions';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';

export function NamePanel({ team, may }: { team: SessionTeam; may: May }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const stale = useStale();
  const toast = useToast();
  const refresh = () => Promise.all([stale('getWorkspace'), refreshSession(queryClient)]);
  const form = useVersionedForm({ values: { name: team.name }, etag: team.etag }, { refresh });
  const { name } = form.values;
  const save = useMutation({
    mutationFn: (wanted: string) =>
      form.send((headers) =>
        updateWorkspace({ headers, path: { slug: team.slug }, body: { name: wanted }, throwOnError: true }),
      ),
    onSuccess: async () => {
      await refresh();
      form.reset();
      // The route provides the breadcrumb's text.
      await router.invalidate();
      toast({ tone: 'ok', title: 'Name saved' });
    },
  });
  const problem = problemOf(save.error, 'Couldn’t save the name');
  const trimmed = name.trim();
  return (
    <Panel title="Team name" framed>
      <FormConflict form={form} labels={{ name: 'Name' }} />
      <FormShell
        aria-label="Rename team"
        error={problem}
        fields={['name']}
        pending={save.isPending}
        onSubmit={() => {
          if (trimmed !== '') save.mutate(trimmed);
        }}
        submitLabel="Save name"
        {...(!may.allowed
          ? { blockedReason: may.reason ?? '' }
          : form.conflict || trimmed === form.base.values.name
            ? { blockedReason: conflictReason(form) ?? 'No changes yet.' }
            : {})}
      >
        <TextInput
          label="Team name"
          value={name}
          maxLength={100}
          autoComplete="organization"
          disabled={!may.allowed}
          onChange={(event) => form.edit({ name: event.target.value })}
          error={trimmed === '' ? 'Enter a name.' : fieldProblem(problem, 'name')}
        />
      </FormShell>
    </Panel>
  );
}
