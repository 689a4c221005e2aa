import { useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteTeamTemplateMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import { updateTeamTemplate } from '../../../../generated/api/sdk.gen';
import type { TeamTemplate } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useStale } from '../../../api/useStale';
import { useVersionedForm } from '../../../api/versions';
import { CodeEditor } from '../../../ui/code/CodeEditor';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { TEAM_TEMPLATES, teamTemplateOptions } from './teamQueries';

interface Props {
  teamSlug: string;
  template: TeamTemplate;
  onClose: () => void;
}

interface Values {
  name: string;
  summary: string;
  compose_file: string;
  change: string;
}

const FIELDS = ['name', 'summary', 'compose_file'] as const;

const valuesOf = ({ name, summary, compose_file }: TeamTemplate): Values => ({
  name,
  summary,
  compose_file,
  change: '',
});

/** Each saved change becomes a new version, which is announced on apps of an earlier one. */
export function EditTeamTemplate({ teamSlug, template, onClose }: Props) {
  const stale = useStale();
  const queryClient = useQueryClient();
  const options = teamTemplateOptions(teamSlug, template.id);
  const form = useVersionedForm<Values>(
    { values: valuesOf(template), etag: template.etag },
    {
      fields: [...FIELDS],
      // The response names the changed fields but omits the file, which has been refetched by then.
      read: (_changed, base) => ({
        ...valuesOf(queryClient.getQueryData<TeamTemplate>(options.queryKey) ?? template),
        change: base.change,
      }),
      refresh: () => stale(...TEAM_TEMPLATES),
    },
  );
  const { name, summary, compose_file, change } = form.values;
  const save = useMutation({
    mutationFn: () =>
      form.send((version) =>
        updateTeamTemplate({
          headers: version,
          path: { slug: teamSlug, template_id: template.id },
          body: {
            ...(name.trim() === template.name ? {} : { name: name.trim() }),
            ...(summary.trim() === template.summary ? {} : { summary: summary.trim() }),
            ...(compose_file === template.compose_file ? {} : { compose_file }),
            ...(change.trim() === '' ? {} : { change: change.trim() }),
          },
          throwOnError: true,
        }),
      ),
    onSuccess: async () => {
      await stale(...TEAM_TEMPLATES);
      onClose();
    },
  });
  const problem = problemOf(save.error, 'Couldn’t save the template');
  const isSame = FIELDS.every((field) => form.values[field] === valuesOf(template)[field]);
  const title = `Edit ${template.name}`;
  if (form.conflict)
    return (
      <FormDialog open wide onClose={onClose} title={title}>
        <FormConflict
          form={form}
          labels={{ name: 'Name', summary: 'Summary', compose_file: 'Compose file', change: 'What changed' }}
        />
      </FormDialog>
    );
  return (
    <FormDialog open wide onClose={onClose} title={title} isEdited={compose_file !== template.compose_file}>
      <FormShell
        aria-label="Edit template"
        error={problem}
        fields={['name', 'summary', 'compose_file', 'docker_compose_file', 'change']}
        pending={save.isPending}
        onSubmit={() => save.mutate()}
        submitLabel="Save changes"
        onCancel={onClose}
        {...(isSame ? { blockedReason: 'No changes yet.' } : {})}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={60}
          autoComplete="off"
          onChange={(event) => form.edit({ name: event.target.value })}
          error={fieldProblem(problem, 'name')}
        />
        <TextInput
          label="Summary"
          value={summary}
          maxLength={160}
          autoComplete="off"
          onChange={(event) => form.edit({ summary: event.target.value })}
          error={fieldProblem(problem, 'summary')}
        />
        <CodeEditor
          label="docker-compose.yml"
          value={compose_file}
          onChange={(text) => form.edit({ compose_file: text })}
          height={280}
          error={fieldProblem(problem, 'compose_file') ?? fieldProblem(problem, 'docker_compose_file')}
        />
        <TextInput
          label="What changed"
          optional
          value={change}
          maxLength={500}
          autoComplete="off"
          help="Shown with the new version on pages of apps based on this template."
          onChange={(event) => form.edit({ change: event.target.value })}
          error={fieldProblem(problem, 'change')}
        />
      </FormShell>
    </FormDialog>
  );
}

export function DeleteTeamTemplate({
  teamSlug,
  template,
  onClose,
  onDeleted,
}: Props & { onDeleted: () => void }) {
  const stale = useStale();
  const remove = useMutation({
    ...deleteTeamTemplateMutation(),
    onSuccess: async () => {
      onDeleted();
      await stale('listTeamTemplates', 'getAppTemplate');
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title={`Delete ${template.name}?`}
      effects={[
        'Members can no longer deploy it.',
        'Apps based on it keep running but won’t show newer versions.',
      ]}
      confirmLabel="Delete"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t delete the template')}
      onConfirm={() => remove.mutate({ path: { slug: teamSlug, template_id: template.id } })}
      onClose={onClose}
    />
  );
}
