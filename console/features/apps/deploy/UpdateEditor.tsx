import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import type { CvmDetail, TemplateRef } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import { replacedText } from '../../../api/useWaitingChange';
import { waitText } from '../../../lib/cvms/blockedText';
import { guestFieldsOf } from '../../../lib/compose/guestFields';
import { cvmLink, type CvmAddress } from '../../../lib/paths';
import { secretHostOfCvm, secretReaders } from '../../../lib/secrets/privacy';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { CodeEditor } from '../../../ui/code/CodeEditor';
import { Notice } from '../../../ui/feedback/Notice';
import type { Problem } from '../../../ui/feedback/problem';
import { FormShell } from '../../../ui/forms/FormShell';
import { RadioCards } from '../../../ui/forms/RadioCards';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { ComposeSection } from './ComposeSection';
import { formProblem, refusedProblem } from './deployProblem';
import { Fold } from './Fold';
import { Sections } from '../../../ui/layout/Sections';
import { DeployRefused } from './sealing';
import { SecretsSection } from './SecretsSection';
import type { Snapshot } from './snapshot';
import { type secretsChange, type UpdateForm, type UpdateScope, withValues } from './update';
import { usePlannedUpdate } from './usePlannedUpdate';
import { Overtaken, type useUpdate } from './useUpdate';
import { VaultNotice } from './vault/VaultNotice';
import { VisibilitySection } from '../../../ui/forms/VisibilitySection';

const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch', marginBottom: space(3) });

/** @param filled whether the values are shown, from the vault */
const keptIntro = (cvm: CvmDetail, filled: boolean) =>
  filled
    ? `${secretReaders(secretHostOfCvm(cvm))} They are sealed together, so the update sends all of them again.`
    : `You can’t view saved values. ${secretReaders(secretHostOfCvm(cvm))} They are sealed together: to add or change one, enter all of them again. To remove one, you don’t need to enter any.`;

interface Props {
  address: CvmAddress;
  line: number | undefined;
  cvm: CvmDetail;
  form: UpdateForm;
  base: Snapshot;
  scope: UpdateScope;
  reason: string;
  template?: TemplateRef;
  edit: (change: Partial<UpdateForm>) => void;
  onScope: (scope: UpdateScope) => void;
  onReason: (reason: string) => void;
  update: ReturnType<typeof useUpdate>;
  dirty: boolean;
  /** Whether another member's conflicting change, shown above, still has to be resolved. */
  conflict: boolean;
  onDiscard: () => void;
}

/** The form for the next revision, compared with the revision the edit started from. */
export function UpdateEditor({
  address,
  line,
  cvm,
  form,
  base,
  scope,
  reason,
  template,
  edit,
  onScope,
  onReason,
  update,
  dirty,
  conflict,
  onDiscard,
}: Props) {
  const planned = usePlannedUpdate({
    teamSlug: address.teamSlug,
    cvm,
    form,
    base,
    scope,
    dirty,
    conflict,
    error: update.error,
  });
  const { file, live, isOurs, errors, changesHash, replaced, effect, readOnly, blocked } = planned;
  const filled = form.secrets.some(({ original }) => original !== undefined);
  return (
    <FormShell
      aria-label="Update"
      error={problemFor(update.error, address)}
      pending={update.isPending}
      onSubmit={() => update.mutate({ form, base, scope, reason, ...(template ? { template } : {}) })}
      submitLabel="Update"
      pendingLabel="Updating"
      {...(blocked === undefined ? {} : { blockedReason: blocked })}
      secondary={dirty && <Button onClick={onDiscard}>Discard changes</Button>}
    >
      {cvm.in_progress && (
        <Notice tone="progress">
          {waitText(cvm.operation)} <TextLink href={cvmLink(address, 'events')}>View operation</TextLink>
        </Notice>
      )}
      <Sections>
        <Panel title="Compose file" subtitle={`From revision ${base.cvm.revision_number ?? '—'}.`}>
          <ComposeSection
            value={form.compose}
            line={line}
            onChange={(compose) => edit({ compose })}
            live={isOurs ? live : { ...live, compose_hash: null }}
            // Not the base's hash: another member's update may have replaced it.
            before={cvm.compose_hash}
            beforeLabel={cvm.status === 'stopped' ? 'Current' : 'Running'}
            readOnly={readOnly}
            error={errors.compose}
          />
          {!isOurs && (
            <Text>This app was created with another tool. The server computes the next revision’s hash.</Text>
          )}
        </Panel>
        <Panel title="Secrets">
          {(file.allowed_envs ?? []).length > 0 && !readOnly && (
            <div style={{ marginBottom: 12 }}>
              <VaultNotice
                teamSlug={address.teamSlug}
                cvm={cvm}
                filled={filled}
                onValues={(env) => edit({ secrets: withValues(form.secrets, env) })}
              />
            </div>
          )}
          <SecretsSection
            intro={keptIntro(cvm, filled)}
            rows={form.secrets}
            onChange={(secrets) => edit({ secrets })}
            analysis={live.analysis}
            error={errors.secrets ?? planned.fault ?? undefined}
            disabled={readOnly}
          />
          <SecretsNotice change={planned.change} keepsHash={planned.isUnchanged} />
        </Panel>
        <Fold label="Pre-launch script" changed={form.pre_launch_script !== ''}>
          <CodeEditor
            label="Shell script"
            language="plain"
            value={form.pre_launch_script}
            onChange={(pre_launch_script) => edit({ pre_launch_script })}
            readOnly={readOnly}
            height={160}
            help="Runs in the CVM before the containers start. Optional."
          />
        </Fold>
        <Panel title="Visibility">
          <VisibilitySection value={form} onChange={edit} disabled={readOnly} host={secretHostOfCvm(cvm)} />
        </Panel>
        <GuestSettings file={file} />
      </Sections>
      <Scope {...{ cvm, scope, onScope }} noRollout={planned.noRollout} count={planned.cvms} />
      <TextInput
        label="Reason"
        optional
        help="Saved in the history and visible to the whole team. Don’t include secrets."
        value={reason}
        maxLength={500}
        autoComplete="off"
        disabled={readOnly}
        onChange={(event) => onReason(event.target.value)}
      />
      {replaced && dirty && changesHash && <Notice tone="attention">{replacedText(replaced)}</Notice>}
      <Notice
        tone={planned.final && changesHash ? 'attention' : 'neutral'}
        {...(effect.title === undefined ? {} : { title: effect.title })}
      >
        {effect.text}
      </Notice>
    </FormShell>
  );
}

/** Compose file fields without an input in this form. */
function GuestSettings({ file }: { file: NonNullable<CvmDetail['compose_file']> }) {
  const guest = guestFieldsOf({ ...file, runner: file.runner === 'bash' ? undefined : file.runner });
  if (Object.keys(guest).length === 0) return null;
  return (
    <Panel title="Guest settings" subtitle="Set at deployment. You can only change them through the API.">
      <CodeBlock label="Guest settings" code={JSON.stringify(guest, null, 2)} maxHeight={320} />
    </Panel>
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
      ? `Enter the ${change.missing.length === 1 ? 'value' : 'values'} of ${change.missing.join(', ')} or remove ${change.missing.length === 1 ? 'it' : 'them'}. All secrets are replaced together.`
      : change.kind === 'names'
        ? 'Remaining secrets keep their values. Names are measured, so the compose hash changes.'
        : `${change.env.length === 1 ? 'The value entered here replaces all saved values.' : `The ${change.env.length} values entered here replace all saved values.`}${keepsHash ? ' Only values change, so the compose hash stays the same.' : ''}`;
  return (
    <div style={{ marginTop: 8 }} role="status">
      <Notice tone={change.kind === 'incomplete' ? 'attention' : 'neutral'}>{text}</Notice>
    </div>
  );
}

/** For apps with several CVMs: update this one, or all of them one after another. */
function Scope({
  cvm,
  count,
  noRollout,
  scope,
  onScope,
}: Pick<Props, 'cvm' | 'scope' | 'onScope'> & { count: number; noRollout: string | undefined }) {
  if (count < 2) return null;
  return (
    <RadioCards
      label="CVMs to update"
      name="scope"
      value={scope}
      onChange={(value) => onScope(value as UpdateScope)}
      cards={[
        { value: 'cvm', name: `Only ${cvm.name}`, specs: 'The app will run two revisions side by side.' },
        {
          value: 'app',
          name: `All ${count}, one at a time`,
          specs: 'Each CVM must be healthy before the next one updates. If one fails, all roll back.',
          ...(noRollout === undefined ? {} : { disabledReason: noRollout }),
        },
      ]}
    />
  );
}

function problemFor(error: Error | null, address: CvmAddress): Problem | null {
  // Shown in its own panel.
  if (error instanceof Overtaken) return null;
  if (error instanceof DeployRefused) return refusedProblem(error);
  const problem = formProblem(error, 'Couldn’t update', ['compose', 'secrets']);
  if (problem && isApiError(error) && error.code === 'ERR-00-016')
    return {
      ...problem,
      suggestions: [{ label: 'View the operation in progress', href: cvmLink(address, 'events') }],
    };
  return problem;
}
