import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getCvmOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { createTeamTemplate } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import { launchPath } from '../../../lib/paths';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { launchHref } from '../launch/search';
import { TEAM_TEMPLATES } from './teamQueries';

interface Props {
  teamSlug: string;
  /** The CVM whose app is saved. */
  vmUuid: string;
  onClose: () => void;
}

/** Saves an app's Compose file as a team template. */
export function SaveTemplateDialog({ teamSlug, vmUuid, onClose }: Props) {
  const { data, error, refetch } = useQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }));
  const problem = problemOf(error, 'Couldn’t load the app', () => void refetch());
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title="Save as template"
      intro="Team members deploy it from a form with fields for the Compose file’s variables."
    >
      {data ? (
        <SaveForm {...{ teamSlug, onClose }} cvm={data} />
      ) : problem ? (
        <ErrorNotice problem={problem} />
      ) : (
        <RowsSkeleton rows={4} />
      )}
    </FormDialog>
  );
}

function SaveForm({ teamSlug, cvm, onClose }: Omit<Props, 'vmUuid'> & { cvm: CvmDetail }) {
  const [name, setName] = useState(cvm.app_name ?? cvm.name);
  const [summary, setSummary] = useState('');
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const navigate = useNavigate();
  const toast = useToast();
  const compose_file = cvm.compose_file?.docker_compose_file ?? '';
  const save = useMutation({
    mutationFn: async () => {
      const { vcpu, memory_in_gb, disk_in_gb } = cvm.resource;
      const body = {
        name: name.trim(),
        summary: summary.trim(),
        compose_file,
        resources: {
          vcpu: vcpu ?? 1,
          memory_mb: Math.max(512, Math.round((memory_in_gb ?? 2) * 1024)),
          disk_gb: disk_in_gb ?? 20,
        },
      };
      const { data } = await createTeamTemplate({
        headers: idempotent(body),
        path: { slug: teamSlug },
        body,
        throwOnError: true,
      });
      return data;
    },
    onSuccess: async (made) => {
      await stale(...TEAM_TEMPLATES);
      toast({ tone: 'ok', title: `${made.name} saved`, message: 'You can find it on the Launch page.' });
      onClose();
      await navigate({ href: launchHref(launchPath(teamSlug), { way: 'template', template: made.id }) });
    },
  });
  const problem = problemOf(save.error, 'Couldn’t save the template');
  const submit = () => {
    setTried(true);
    if (name.trim() !== '' && summary.trim() !== '') save.mutate();
  };
  return (
    <FormShell
      aria-label="Save as template"
      error={problem}
      fields={['name', 'summary']}
      pending={save.isPending}
      onSubmit={submit}
      submitLabel="Save template"
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={60}
        autoFocus
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        error={tried && name.trim() === '' ? 'Enter a name.' : fieldProblem(problem, 'name')}
      />
      <TextInput
        label="Summary"
        value={summary}
        maxLength={160}
        autoComplete="off"
        placeholder="The order service with its database."
        onChange={(event) => setSummary(event.target.value)}
        error={tried && summary.trim() === '' ? 'Describe what it runs.' : fieldProblem(problem, 'summary')}
      />
      <Notice tone="neutral">
        Secret values aren’t saved. Anything written in the Compose file itself is saved and visible to every
        member.
        {cvm.compose_file?.pre_launch_script ? ' The pre-launch script isn’t part of a template.' : ''}
      </Notice>
      <CodeBlock code={compose_file} title="Compose file" maxHeight={240} />
    </FormShell>
  );
}
