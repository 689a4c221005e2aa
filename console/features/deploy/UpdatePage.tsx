import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getCvmOptions } from '../../../generated/api/@tanstack/react-query.gen';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { isApiError } from '../../api/apiError';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { cvmLink, type CvmAddress } from '../../lib/paths';
import { CodeEditor } from '../../ui/code/CodeEditor';
import { Notice } from '../../ui/feedback/Notice';
import type { Problem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { useLiveAnalysis } from './analysis';
import { ComposeSection } from './ComposeSection';
import { secretsFault, serverFieldErrors } from './form';
import { Fold, Sections } from './layout';
import { LeaveGuard } from './LeaveGuard';
import { DeployRefused } from './sealing';
import { SecretsSection } from './SecretsSection';
import { composeAfter, formOf, hashIsOurs, secretsChange, toPatch, type UpdateForm } from './update';
import { useUpdate } from './useUpdate';
import { VisibilitySection } from './VisibilitySection';

const Column = styled('div')({ maxWidth: 860, minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch', marginBottom: space(3) });

const KEPT_INTRO =
  'Values that are set cannot be read back, not by this page and not by the server. They travel as one sealed piece: to change or add one, type all of them again. Taking one away needs no value.';

/** What runs now, and the next revision of it. */
export function UpdatePage({ address }: { address: CvmAddress }) {
  const { teamSlug, vmUuid } = address;
  const { data: cvm } = useSuspenseQuery(getCvmOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }));
  const [edited, setEdited] = useState<{ form: UpdateForm; revision: number | null } | null>(null);
  const form = edited?.form ?? formOf(cvm);
  const dirty = edited !== null && isChange(form, cvm);
  const navigate = useNavigate();
  const update = useUpdate(teamSlug, cvm, () => {
    setEdited(null);
    void navigate({ href: cvmLink(address) });
  });
  const edit = (change: Partial<UpdateForm>) => {
    if (update.error) update.reset();
    setEdited((before) => ({
      form: { ...(before?.form ?? form), ...change },
      revision: before?.revision ?? cvm.revision_number,
    }));
  };
  const overtaken = edited !== null && edited.revision !== cvm.revision_number;
  return (
    <Column>
      {overtaken && (
        <Notice
          tone="attention"
          title={`Revision ${cvm.revision_number} runs now.`}
          action={
            <Button size="small" style={{ flex: 'none' }} onClick={() => setEdited(null)}>
              Show what runs
            </Button>
          }
        >
          You began with revision {edited.revision}; updating replaces what was changed meanwhile.
        </Notice>
      )}
      <Editor {...{ address, cvm, form, edit, update, dirty }} onDiscard={() => setEdited(null)} />
      <LeaveGuard
        when={dirty && !update.isPending && !update.isSuccess}
        what={`The changes to ${cvm.name}`}
      />
    </Column>
  );
}

const isChange = (form: UpdateForm, cvm: CvmDetail) =>
  Object.keys(toPatch(form, cvm)).length > 0 ||
  secretsChange(form.secrets, cvm.compose_file?.allowed_envs ?? []).kind !== 'none';

function Editor({
  address,
  cvm,
  form,
  edit,
  update,
  dirty,
  onDiscard,
}: {
  address: CvmAddress;
  cvm: CvmDetail;
  form: UpdateForm;
  edit: (change: Partial<UpdateForm>) => void;
  update: ReturnType<typeof useUpdate>;
  dirty: boolean;
  onDiscard: () => void;
}) {
  const may = useMay('cvms.write', address.teamSlug);
  const patch = toPatch(form, cvm);
  const file = cvm.compose_file ?? {
    manifest_version: 2,
    name: cvm.name,
    runner: 'docker-compose' as const,
    docker_compose_file: '',
  };
  const after = composeAfter(file, patch);
  const live = useLiveAnalysis(after, {
    secretNames: after.allowed_envs,
    preLaunchScript: form.pre_launch_script,
  });
  const ours = hashIsOurs(cvm);
  const change = secretsChange(form.secrets, file.allowed_envs ?? []);
  const errors = isApiError(update.error)
    ? serverFieldErrors({
        message: update.error.message,
        code: update.error.code,
        details: update.error.fields,
      })
    : {};
  const fault = change.kind === 'values' ? secretsFault(form.secrets) : null;
  const readOnly = !may.allowed;
  const blocked = may.reason ?? blockedBy(cvm, dirty, change, fault, live.analysis?.ok === false);
  return (
    <FormShell
      aria-label="Update"
      error={problemFor(update.error, address)}
      pending={update.isPending}
      onSubmit={() => update.mutate(form)}
      submitLabel="Update"
      pendingLabel="Updating"
      {...(blocked === undefined ? {} : { blockedReason: blocked })}
      secondary={dirty && <Button onClick={onDiscard}>Discard changes</Button>}
    >
      {cvm.in_progress && (
        <Notice tone="progress">
          A change is going on: {cvm.operation?.type ?? 'operation'}
          {cvm.operation?.step ? `, ${cvm.operation.step}` : ''}.{' '}
          <TextLink href={cvmLink(address, 'events')}>Follow it</TextLink>
        </Notice>
      )}
      <Sections>
        <Panel title="Compose file" subtitle={`Revision ${cvm.revision_number ?? '—'} runs now.`}>
          <ComposeSection
            value={form.compose}
            onChange={(compose) => edit({ compose })}
            live={ours ? live : { ...live, compose_hash: null }}
            before={cvm.compose_hash}
            readOnly={readOnly}
            error={errors.compose}
          />
          {!ours && (
            <Text>The app was made by another tool; the server computes the hash of the next revision.</Text>
          )}
        </Panel>
        <Panel title="Secrets">
          <SecretsSection
            intro={KEPT_INTRO}
            rows={form.secrets}
            onChange={(secrets) => edit({ secrets })}
            analysis={live.analysis}
            error={errors.secrets ?? fault ?? undefined}
            disabled={readOnly}
          />
          <SecretsNotice change={change} keepsHash={Object.keys(patch).length === 0} />
        </Panel>
        <Fold open={form.pre_launch_script !== '' || undefined}>
          <summary>Pre-launch script</summary>
          <CodeEditor
            label="Shell script"
            language="plain"
            value={form.pre_launch_script}
            onChange={(pre_launch_script) => edit({ pre_launch_script })}
            readOnly={readOnly}
            height={160}
            help="Runs in the CVM before the containers start. Empty: none."
          />
        </Fold>
        <Panel title="What is public">
          <VisibilitySection value={form} onChange={edit} disabled={readOnly} />
        </Panel>
      </Sections>
      <Notice tone="neutral">{whatHappens(cvm)}</Notice>
    </FormShell>
  );
}

function SecretsNotice({
  change,
  keepsHash,
}: {
  change: ReturnType<typeof secretsChange>;
  keepsHash: boolean;
}) {
  if (change.kind === 'none') return null;
  const text =
    change.kind === 'incomplete'
      ? `Also type the ${change.missing.length === 1 ? 'value' : 'values'} of ${change.missing.join(', ')}, or take them away: the whole set is replaced.`
      : change.kind === 'names'
        ? 'The names that stay keep their values. Names are measured, so the compose hash changes.'
        : `${change.env.length === 1 ? 'The one value typed here replaces all there were.' : `The ${change.env.length} values typed here replace all there were.`}${keepsHash ? ' Only values change, so the compose hash stays the same.' : ''}`;
  return (
    <div style={{ marginTop: 8 }} role="status">
      <Notice tone={change.kind === 'incomplete' ? 'attention' : 'neutral'}>{text}</Notice>
    </div>
  );
}

const whatHappens = (cvm: CvmDetail) =>
  cvm.desired_status === 'stopped'
    ? 'The CVM is stopped and stays so: the next start runs the new revision.'
    : 'The CVM restarts with the new revision and answers nothing meanwhile. If it does not come up, the revision that runs now is put back.';

function blockedBy(
  cvm: CvmDetail,
  dirty: boolean,
  change: ReturnType<typeof secretsChange>,
  fault: string | null,
  refused: boolean,
): string | undefined {
  if (cvm.in_progress) return `Wait until the ${cvm.operation?.type ?? 'running change'} has ended.`;
  if (!dirty) return 'Nothing is changed yet.';
  if (change.kind === 'incomplete') return 'Some secrets have no value.';
  if (fault !== null) return 'Correct the secrets first.';
  return refused ? 'Correct the errors in the compose file first.' : undefined;
}

function problemFor(error: Error | null, address: CvmAddress): Problem | null {
  if (error instanceof DeployRefused)
    return {
      title: 'Stopped on purpose',
      message: error.message,
      code: error.code,
      suggestions: [error.advice],
    };
  const problem = problemOf(error, 'Nothing was changed');
  if (problem && isApiError(error) && error.code === 'ERR-00-016')
    return {
      ...problem,
      suggestions: [{ label: 'Follow the running operation', href: cvmLink(address, 'events') }],
    };
  return problem;
}
