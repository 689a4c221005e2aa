import { styled } from '@mui/material/styles';
import Button from '@mui/material/Button';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { useMayDeploy } from '../../api/session';
import { Cost } from '../../ui/data/Cost';
import type { Problem } from '../../ui/feedback/problem';
import { Notice } from '../../ui/feedback/Notice';
import { ProgressSteps } from '../../ui/feedback/ProgressSteps';
import { CodeEditor } from '../../ui/code/CodeEditor';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { useLiveAnalysis } from './analysis';
import { ComposeSection } from './ComposeSection';
import {
  checkForm,
  type DeployForm,
  emptyForm,
  type FieldErrors,
  serverFieldErrors,
  toProvision,
} from './form';
import { Fold, Sections } from './layout';
import { PlaceSection } from './PlaceSection';
import { PreflightPanel } from './PreflightPanel';
import {
  hostsOptions,
  instanceTypesOptions,
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
import { VisibilitySection } from '../../ui/forms/VisibilitySection';

const Column = styled('div')({ maxWidth: 860, minWidth: 0 });
const Name = styled('div')({ maxWidth: 420 });
const Total = styled('span')({ ...type.body, color: color.muted });
const Steps = styled('div')({ border: `1px solid ${color.line}`, borderRadius: 8, padding: space(4) });

/** Paste a compose file, give secrets, choose a size, deploy. */
export function DeployPage({ teamSlug }: { teamSlug: string }) {
  const [form, change, { reset }] = useDeployForm(teamSlug);
  const { data: types } = useSuspenseQuery(instanceTypesOptions());
  const { data: hosts } = useSuspenseQuery(hostsOptions(teamSlug));
  const sizes = sizesOf(types);
  const full = withDefaultSize(form, sizes);
  const may = useMayDeploy(teamSlug);
  const body = toProvision(full);
  const context = { secretNames: body.compose_file.allowed_envs, preLaunchScript: full.pre_launch_script };
  const live = useLiveAnalysis(
    { name: body.name, docker_compose_file: full.compose, ...body.compose_file },
    context,
  );
  const preflight = usePreflight(teamSlug, full);
  const taken = useNameTaken(teamSlug, form.name);
  const deploy = useDeploy(teamSlug, full, reset);
  const [checked, setChecked] = useState<FieldErrors | null>(null);

  const now = checkForm(full);
  // Before the first try only what was typed is judged; afterwards everything, as it is corrected.
  const shown: FieldErrors = { ...serverErrors(deploy.error), ...(checked ? now : onlyTyped(now, full)) };
  if (taken && shown.name === undefined) shown.name = 'A CVM of this team has this name. Choose another.';
  const submit = async () => {
    setChecked(now);
    // Fast typists submit before the worker has answered. The parser is large, so it comes only then.
    const ok = live.pending
      ? (await import('../../lib/composeFile')).analyseCompose(full.compose, context).ok
      : live.analysis?.ok;
    if (Object.keys(now).length === 0 && ok === true && !taken) deploy.mutate();
  };
  const edit = (next: Partial<typeof form>) => {
    if (deploy.error) deploy.reset();
    change(next);
  };
  const emptyValues = form.secrets.filter(({ key, value }) => key !== '' && value === '').length;
  const blocked = blockedReason(may.reason, live.analysis?.ok === false && full.compose.trim() !== '');

  return (
    <Column>
      <PageHeader
        title="Deploy"
        subtitle="A compose file, its secrets and a size: that is a confidential VM."
        {...(form.compose === '' && form.name === '' && form.secrets.length === 0
          ? {}
          : {
              secondary: (
                <Button onClick={() => (reset(), deploy.reset(), setChecked(null))}>Start over</Button>
              ),
            })}
      />
      <FormShell
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
              <Cost usd={preflight.data.monthly_estimate} per="month" />
            </Total>
          )
        }
      >
        <Sections>
          <Name>
            <TextInput
              label="Name"
              value={form.name}
              maxLength={63}
              autoFocus={form.name === ''}
              autoComplete="off"
              spellCheck={false}
              placeholder="my-app"
              error={shown.name}
              help="Letters, digits and dashes, 5 to 63 characters; part of the measured compose."
              onChange={(event) => edit({ name: event.target.value })}
            />
          </Name>
          <Panel title="Compose file">
            <ComposeSection
              value={full.compose}
              onChange={(compose) => edit({ compose })}
              live={live}
              error={shown.compose}
            />
          </Panel>
          <Panel title="Secrets">
            <SecretsSection
              rows={form.secrets}
              onChange={(secrets) => edit({ secrets })}
              analysis={live.analysis}
              error={shown.secrets}
            />
            {emptyValues > 0 && (
              <div style={{ marginTop: 8 }}>
                <Notice tone="neutral">
                  {emptyValues === 1 ? 'One secret has' : `${emptyValues} secrets have`} no value yet and
                  would be sent empty. Values are never kept in drafts: after a reload they have to be typed
                  again.
                </Notice>
              </div>
            )}
          </Panel>
          <Panel title="Size">
            <SizeSection
              sizes={sizes}
              value={full}
              onChange={edit}
              errors={shown}
              diskPlaceholder={String(sizes.find(({ id }) => id === full.size)?.default_disk_size_gb ?? 20)}
              diskHelp="It can grow later, never shrink."
            />
          </Panel>
          <Panel title="Place">
            <PlaceSection hosts={hosts} value={full} onChange={edit} errors={shown} />
          </Panel>
          <Panel title="What becomes public">
            <VisibilitySection value={full} onChange={edit} />
          </Panel>
          <Fold open={form.pre_launch_script !== '' || undefined}>
            <summary>Pre-launch script</summary>
            <CodeEditor
              label="Shell script"
              language="plain"
              value={form.pre_launch_script}
              onChange={(pre_launch_script) => edit({ pre_launch_script })}
              height={180}
              {...(shown.pre_launch_script === undefined ? {} : { error: shown.pre_launch_script })}
              placeholder="#!/bin/bash"
              help="Runs in the CVM before the containers start, with the secrets in its environment. Measured like the compose file."
            />
          </Fold>
        </Sections>
        <PreflightPanel
          preflight={preflight.data}
          error={preflight.error}
          fallback={largestThatFits(sizes, hosts.nodes)}
          onSize={(size) => edit({ size, disk_gb: '' })}
          onAnywhere={form.place === 'any' ? undefined : () => edit({ place: 'any' })}
        />
        {deploy.steps && (deploy.isPending || deploy.isError) && (
          <Steps>
            <ProgressSteps label="Deploying" steps={deploy.steps} />
          </Steps>
        )}
      </FormShell>
    </Column>
  );
}

/** Errors of fields that are still as they were at the start would only nag. */
function onlyTyped(errors: FieldErrors, form: DeployForm): FieldErrors {
  const typed = Object.entries(errors).filter(
    ([field]) =>
      field !== 'secrets' && form[field as keyof DeployForm] !== emptyForm[field as keyof DeployForm],
  );
  // Half a name is not a wrong name yet.
  return Object.fromEntries(typed.filter(([field]) => field !== 'name' || form.name.length >= 5));
}

const serverErrors = (error: unknown): FieldErrors =>
  isApiError(error)
    ? serverFieldErrors({ message: error.message, code: error.code, details: error.fields })
    : {};

function blockedReason(role: string | undefined, composeFails: boolean): string | undefined {
  return role ?? (composeFails ? 'Correct the errors in the compose file first.' : undefined);
}

function problemFor(error: Error | null): Problem | null {
  if (!(error instanceof DeployRefused)) return problemOf(error, 'Nothing was deployed');
  return {
    title: 'Stopped on purpose',
    message: error.message,
    code: error.code,
    suggestions: [error.advice],
  };
}
