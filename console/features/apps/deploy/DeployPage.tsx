import styled from '@emotion/styled';
import { Button } from '../../../ui/controls/Button';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AvailableTeepods } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import { problemOf } from '../../../api/problem';
import { useMay, useMayDeploy } from '../../../api/session';
import { Cost } from '../../../ui/data/Cost';
import type { Problem } from '../../../ui/feedback/problem';
import { Notice } from '../../../ui/feedback/Notice';
import { ProgressSteps } from '../../../ui/feedback/ProgressSteps';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { FromTemplate } from '../templates/FromTemplate';
import { AdvancedSection } from './AdvancedSection';
import { useLiveAnalysis } from './analysis';
import { ComposeSection } from './ComposeSection';
import { ContractStep } from './contract/ContractStep';
import { KmsField } from './contract/KmsField';
import {
  checkForm,
  composeInputOf,
  type DeployForm,
  emptyForm,
  type FieldErrors,
  serverFieldErrors,
  toProvision,
} from './form';
import { Sections } from '../../../ui/layout/Sections';
import { unsupportedSettings } from './guestForm';
import { hostsAt, PlaceSection } from './PlaceSection';
import { PreflightPanel, RefusalChip } from './PreflightPanel';
import {
  hostsOptions,
  instanceTypesOptions,
  roomOf,
  sizesOf,
  useNameTaken,
  usePreflight,
  withDefaultSize,
} from './queries';
import { largestThatFits } from './resize';
import { DeployRefused } from './sealing';
import { SecretsSection } from './SecretsSection';
import { SizeSection } from './SizeSection';
import { useDeploy } from './useDeploy';
import { useDeployForm } from './useDeployForm';
import { VaultOffer } from './VaultOffer';
import type { ComposeAnalysis } from '../../../lib/compose/composeFile';
import { CUSTOM_DISK_GB } from '../../../lib/billing/spend';
import { secretHostOf, secretReaders } from '../../../lib/secrets/privacy';
import { importWithRetry } from '../../../lib/importWithRetry';

const COLUMN = 860;
const Column = styled('div')({ maxWidth: COLUMN, minWidth: 0 });
// Inside the form, because its action bar is as wide as the page.
const Body = styled('div')({ display: 'grid', gap: space(5), maxWidth: COLUMN, minWidth: 0 });
const Refusal = styled('div')({ marginBottom: space(5) });
const Fields = styled('fieldset')({ border: 0, margin: 0, padding: 0, minWidth: 0 });
const Under = styled('div')({ marginTop: space(3) });
const Name = styled('div')({ maxWidth: 420 });
const Total = styled('span')({ ...type.body, color: color.muted });
const Steps = styled('div')({ border: `1px solid ${color.line}`, borderRadius: 8, padding: space(4) });

const NO_TEMPLATE = { template_id: '', template_name: '', template_version: '' };

const NO_ACCESS = 'You can’t deploy here.';

/** The deploy form: compose file, secrets, size and location. */
export function DeployPage({ teamSlug }: { teamSlug: string }) {
  const [form, change, { reset }] = useDeployForm(teamSlug);
  const { data: types } = useSuspenseQuery(instanceTypesOptions());
  const { data: hosts } = useSuspenseQuery(hostsOptions(teamSlug));
  const [leftSizes, setLeftSizes] = useState<readonly string[]>([]);
  const sizes = sizesOf(types, [form.size, ...leftSizes]);
  const full = withDefaultSize(form, sizes);
  const may = useMayDeploy(teamSlug);
  const role = useMay('cvms.write', teamSlug);
  const body = toProvision(full);
  const context = {
    secretNames: body.compose_file.allowed_envs,
    preLaunchScript: full.pre_launch_script,
    onlyLocal: secretHostOf(hosts.nodes, full.place) === 'local',
  };
  const live = useLiveAnalysis(composeInputOf(body), context);
  const preflight = usePreflight(teamSlug, full);
  const taken = useNameTaken(teamSlug, form.name);
  const [saveCopy, setSaveCopy] = useState(true);
  const deploy = useDeploy(teamSlug, full, { saveCopy, onDone: reset });
  const [checked, setChecked] = useState<FieldErrors | null>(null);

  const unsupported = unsupportedSettings(full, hostsAt(hosts.nodes, full.place), full.image);
  const isUnsupported = Object.keys(unsupported).length > 0;
  const now = { ...unsupported, ...checkForm(full) };
  // Before the first submit only edited fields are validated; afterwards all of them are.
  const shown: FieldErrors = { ...serverErrors(deploy.error), ...(checked ? now : onlyTyped(now, full)) };
  if (taken && shown.name === undefined)
    shown.name = 'A CVM in this team already has this name. Choose another.';
  const submit = async () => {
    setChecked(now);
    // The form may be submitted before the worker has answered. Loads the parser only then, because it is large.
    const ok = live.pending
      ? (await importWithRetry(() => import('../../../lib/compose/composeFile'))).analyzeCompose(
          full.compose,
          context,
        ).ok
      : live.analysis?.ok;
    if (Object.keys(now).length === 0 && ok === true && !taken) deploy.mutate();
  };
  const edit = (next: Partial<typeof form>) => {
    if (deploy.error) deploy.reset();
    if (next.size !== undefined) setLeftSizes([form.size, ...leftSizes.filter((one) => one !== form.size)]);
    change(next);
  };
  const startOver = () => {
    reset();
    deploy.reset();
    setChecked(null);
    setSaveCopy(true);
    setLeftSizes([]);
  };
  const access = preflight.data?.refusal?.limit === 'access' ? preflight.data.refusal.reason : undefined;
  // The notice above the form already says it.
  const isSaid = access !== undefined && (may.reason ?? access) === access;
  const blocked = blockedReason(
    !role.allowed ? 'This form is read-only.' : isSaid ? NO_ACCESS : may.reason,
    live.analysis?.ok === false && full.compose.trim() !== '',
    isUnsupported,
  );

  return (
    <>
      <Column>
        <PageHeader
          title="Deploy"
          subtitle="Run a Compose file in a confidential VM."
          {...(form.compose === '' && form.name === '' && form.secrets.length === 0
            ? {}
            : {
                secondary: <Button onClick={startOver}>Start over</Button>,
              })}
        />
        {!role.allowed && (
          <Refusal>
            <Notice tone="attention" title="You can’t deploy in this team.">
              {role.reason}
            </Notice>
          </Refusal>
        )}
        {access !== undefined && (
          <Refusal>
            <Notice tone="attention" title={NO_ACCESS}>
              {access}
            </Notice>
          </Refusal>
        )}
      </Column>
      <FormShell
        stickyActions
        aria-label="Deploy"
        error={problemFor(deploy.error)}
        pending={deploy.isPending}
        onSubmit={() => void submit()}
        submitLabel={deploy.isError ? 'Try again' : 'Deploy'}
        pendingLabel="Deploying"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
        secondary={
          preflight.data && (
            <Total>
              <Cost usd={preflight.data.hourly_rate} per="hour" /> ·{' '}
              <Cost usd={preflight.data.monthly_estimate} per="month" />{' '}
              <RefusalChip refusal={preflight.data.refusal} />
            </Total>
          )
        }
      >
        <Body>
          <Fields disabled={!role.allowed}>
            <Sections>
              <Name>
                <TextInput
                  label="Name"
                  value={form.name}
                  maxLength={63}
                  autoFocus={role.allowed && form.name === ''}
                  autoComplete="off"
                  spellCheck={false}
                  placeholder="my-app"
                  error={shown.name}
                  help="5 to 63 letters, digits and dashes; included in the compose hash."
                  onChange={(event) => edit({ name: event.target.value })}
                />
              </Name>
              {form.template_id !== '' && (
                <FromTemplate
                  name={form.template_name}
                  version={form.template_version}
                  error={shown.template_id}
                  onForget={role.allowed ? () => edit(NO_TEMPLATE) : undefined}
                />
              )}
              <Panel title="Compose file">
                <ComposeSection
                  value={full.compose}
                  onChange={(compose) => edit({ compose })}
                  live={live}
                  readOnly={!role.allowed}
                  error={shown.compose}
                />
              </Panel>
              <SecretsPanel
                hosts={hosts}
                form={full}
                onChange={edit}
                analysis={live.analysis}
                readOnly={!role.allowed}
                errors={shown}
                offersCopy={body.compose_file.allowed_envs?.some((name) => name !== '') === true}
                saveCopy={saveCopy}
                onSaveCopy={setSaveCopy}
              />
              <Panel title="Size">
                <SizeSection
                  sizes={sizes}
                  value={full}
                  onChange={edit}
                  errors={shown}
                  includedDisk={
                    sizes.find(({ id }) => id === full.size)?.default_disk_size_gb ?? CUSTOM_DISK_GB
                  }
                  diskHelp="The disk can grow later but never shrink."
                />
              </Panel>
              <Panel title="Location">
                <PlaceSection hosts={hosts} value={full} onChange={edit} errors={shown}>
                  <KmsField
                    kms_list={hosts.kms_list}
                    value={form.kms}
                    onChange={(kms) => edit({ kms })}
                    error={shown.kms}
                  />
                </PlaceSection>
              </Panel>
              <AdvancedSection
                hosts={hosts}
                value={full}
                onChange={edit}
                errors={shown}
                readOnly={!role.allowed}
              />
            </Sections>
          </Fields>
          <PreflightPanel
            teamSlug={teamSlug}
            // Free capacity on a host that refuses the settings doesn't help.
            preflight={isUnsupported && preflight.data?.refusal === null ? undefined : preflight.data}
            error={preflight.error}
            room={may.reason === undefined ? roomOf(full, sizes) : null}
            fallback={largestThatFits(sizesOf(types), hostsAt(hosts.nodes, full.place))}
            onSize={(size) => edit({ size, disk_gb: '' })}
            onAnywhere={form.place === 'any' ? undefined : () => edit({ place: 'any' })}
          />
          {deploy.steps && (deploy.isPending || deploy.isError) && (
            <Steps>
              <ProgressSteps label="Deploying" steps={deploy.steps} />
            </Steps>
          )}
        </Body>
      </FormShell>
      {deploy.contract && (
        <Column>
          <ContractStep teamSlug={teamSlug} request={deploy.contract} />
        </Column>
      )}
    </>
  );
}

interface SecretsProps {
  hosts: AvailableTeepods;
  form: DeployForm;
  onChange: (change: Partial<DeployForm>) => void;
  analysis: ComposeAnalysis | null;
  readOnly: boolean;
  errors: FieldErrors;
  /** Whether there is anything to save in the vault. */
  offersCopy: boolean;
  saveCopy: boolean;
  onSaveCopy: (save: boolean) => void;
}

function SecretsPanel({ hosts, form, onChange, analysis, readOnly, errors, ...copy }: SecretsProps) {
  const emptyValues = form.secrets.filter(({ key, value }) => key !== '' && value === '').length;
  return (
    <Panel title="Secrets">
      <SecretsSection
        intro={`Values are encrypted in this browser. ${secretReaders(secretHostOf(hosts.nodes, form.place))} Names are included in the compose hash; values aren’t.`}
        rows={form.secrets}
        onChange={(secrets) => onChange({ secrets })}
        analysis={analysis}
        disabled={readOnly}
        error={errors.secrets}
      />
      {emptyValues > 0 && (
        <Under>
          <Notice tone="neutral">
            {emptyValues === 1 ? 'One secret has' : `${emptyValues} secrets have`} no value and would be sent
            empty. Drafts never store values; enter them again after a reload.
          </Notice>
        </Under>
      )}
      {!readOnly && copy.offersCopy && (
        <Under>
          <VaultOffer save={copy.saveCopy} onSave={copy.onSaveCopy} />
        </Under>
      )}
    </Panel>
  );
}

/** Hides errors of fields that haven't been edited yet. */
function onlyTyped(errors: FieldErrors, form: DeployForm): FieldErrors {
  const typed = Object.entries(errors).filter(
    ([field]) =>
      field !== 'secrets' && form[field as keyof DeployForm] !== emptyForm[field as keyof DeployForm],
  );
  // A name that is still being typed is not wrong yet.
  return Object.fromEntries(typed.filter(([field]) => field !== 'name' || form.name.length >= 5));
}

const serverErrors = (error: unknown): FieldErrors =>
  isApiError(error)
    ? serverFieldErrors({ message: error.message, code: error.code, details: error.fields })
    : {};

function blockedReason(
  role: string | undefined,
  composeFails: boolean,
  isUnsupported: boolean,
): string | undefined {
  if (role !== undefined) return role;
  if (composeFails) return 'Fix the errors in the Compose file first.';
  return isUnsupported ? 'No host here supports a setting under Advanced.' : undefined;
}

function problemFor(error: Error | null): Problem | null {
  if (!(error instanceof DeployRefused)) {
    const problem = problemOf(error, 'Couldn’t deploy');
    const shown = Object.keys(serverErrors(error)).length;
    return problem && { ...problem, isAtField: shown > 0 && shown >= (problem.details ?? []).length };
  }
  return {
    title: error.code === 'contract_not_deployed' ? 'Nothing was deployed' : 'Stopped for safety',
    message: error.message,
    code: error.code,
    suggestions: [error.advice],
  };
}
