import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useQuery } from '@tanstack/react-query';
import { listAppCvmsOptions } from '../../../generated/api/@tanstack/react-query.gen';
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
import { RadioCards } from '../../ui/forms/RadioCards';
import { TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { useLiveAnalysis } from './analysis';
import { ComposeSection } from './ComposeSection';
import { secretsFault, serverFieldErrors } from './form';
import { Fold, Sections } from './layout';
import { DeployRefused } from './sealing';
import { SecretsSection } from './SecretsSection';
import type { Snapshot } from './snapshot';
import {
  composeAfter,
  hashIsOurs,
  secretsChange,
  toPatch,
  withValues,
  type UpdateForm,
  type UpdateScope,
} from './update';
import { Overtaken, type useUpdate } from './useUpdate';
import { VaultNotice } from './VaultNotice';
import { VisibilitySection } from '../../ui/forms/VisibilitySection';

const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch', marginBottom: space(3) });

const KEPT_INTRO =
  'Values that are set cannot be read back, not by this page and not by the server. They travel as one sealed piece: to change or add one, all of them are sent. Taking one away needs no value.';

interface Props {
  address: CvmAddress;
  line: number | undefined;
  cvm: CvmDetail;
  form: UpdateForm;
  base: Snapshot;
  scope: UpdateScope;
  reason: string;
  edit: (change: Partial<UpdateForm>) => void;
  onScope: (scope: UpdateScope) => void;
  onReason: (reason: string) => void;
  update: ReturnType<typeof useUpdate>;
  dirty: boolean;
  /** Another's change is shown above and has to be answered first. */
  conflict: boolean;
  onDiscard: () => void;
}

/** The form of the next revision. Everything is compared with what the edit began from. */
export function UpdateEditor({
  address,
  line,
  cvm,
  form,
  base,
  scope,
  reason,
  edit,
  onScope,
  onReason,
  update,
  dirty,
  conflict,
  onDiscard,
}: Props) {
  const may = useMay('cvms.write', address.teamSlug);
  const patch = toPatch(form, base.cvm);
  const file = base.cvm.compose_file ?? {
    manifest_version: 2,
    name: base.cvm.name,
    runner: 'docker-compose' as const,
    docker_compose_file: '',
  };
  const after = composeAfter(file, patch);
  const live = useLiveAnalysis(after, {
    secretNames: after.allowed_envs,
    preLaunchScript: form.pre_launch_script,
  });
  const ours = hashIsOurs(base.cvm);
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
  const blocked =
    may.reason ?? blockedBy(cvm, { dirty, conflict, change, fault, refused: live.analysis?.ok === false });
  return (
    <FormShell
      aria-label="Update"
      error={problemFor(update.error, address)}
      pending={update.isPending}
      onSubmit={() => update.mutate({ form, base, scope, reason })}
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
        <Panel title="Compose file" subtitle={`From revision ${base.cvm.revision_number ?? '—'}.`}>
          <ComposeSection
            value={form.compose}
            line={line}
            onChange={(compose) => edit({ compose })}
            live={ours ? live : { ...live, compose_hash: null }}
            before={base.cvm.compose_hash}
            readOnly={readOnly}
            error={errors.compose}
          />
          {!ours && (
            <Text>The app was made by another tool; the server computes the hash of the next revision.</Text>
          )}
        </Panel>
        <Panel title="Secrets">
          {(file.allowed_envs ?? []).length > 0 && !readOnly && (
            <div style={{ marginBottom: 12 }}>
              <VaultNotice
                teamSlug={address.teamSlug}
                cvm={cvm}
                filled={form.secrets.some(({ original }) => original !== undefined)}
                onValues={(env) => edit({ secrets: withValues(form.secrets, env) })}
              />
            </div>
          )}
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
      <Scope {...{ address, cvm, scope, onScope }} />
      <TextInput
        label="Why"
        optional
        help="Kept in the history; everybody in the team reads it. No secrets."
        value={reason}
        maxLength={500}
        autoComplete="off"
        disabled={readOnly}
        onChange={(event) => onReason(event.target.value)}
      />
      <Notice tone="neutral">{whatHappens(cvm, scope)}</Notice>
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

/** With more than one CVM of the app: this one, or each in turn. */
function Scope({ address, cvm, scope, onScope }: Pick<Props, 'address' | 'cvm' | 'scope' | 'onScope'>) {
  const { data } = useQuery({
    ...listAppCvmsOptions({ ...inTeam(address.teamSlug), path: { app_id: cvm.app_id ?? '' } }),
    enabled: cvm.app_id !== null,
  });
  const count = data?.length ?? 1;
  if (count < 2) return null;
  return (
    <RadioCards
      label="Which CVMs"
      name="scope"
      value={scope}
      onChange={(value) => onScope(value as UpdateScope)}
      cards={[
        { value: 'cvm', name: `Only ${cvm.name}`, specs: 'The app then runs two revisions side by side.' },
        {
          value: 'app',
          name: `All ${count}, one after the other`,
          specs: 'The next one only when the one before is well; if one fails, all go back.',
        },
      ]}
    />
  );
}

const whatHappens = (cvm: CvmDetail, scope: UpdateScope) =>
  scope === 'app'
    ? 'Each CVM restarts with the new revision in its turn, and the others answer meanwhile.'
    : cvm.desired_status === 'stopped'
      ? 'The CVM is stopped and stays so: the next start runs the new revision.'
      : 'The CVM restarts with the new revision and answers nothing meanwhile. If it does not come up, the revision that runs now is put back.';

interface State {
  dirty: boolean;
  conflict: boolean;
  change: ReturnType<typeof secretsChange>;
  fault: string | null;
  refused: boolean;
}

function blockedBy(cvm: CvmDetail, { dirty, conflict, change, fault, refused }: State): string | undefined {
  if (conflict) return 'Decide about the change of the other first, above.';
  if (cvm.in_progress) return `Wait until the ${cvm.operation?.type ?? 'running change'} has ended.`;
  if (!dirty) return 'Nothing is changed yet.';
  if (change.kind === 'incomplete') return 'Some secrets have no value.';
  if (fault !== null) return 'Correct the secrets first.';
  return refused ? 'Correct the errors in the compose file first.' : undefined;
}

function problemFor(error: Error | null, address: CvmAddress): Problem | null {
  // Has a panel of its own.
  if (error instanceof Overtaken) return null;
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
