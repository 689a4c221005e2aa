import styled from '@emotion/styled';
import { secretHostOf, secretReaders } from '../../../lib/secrets/privacy';
import { CUSTOM_DISK_GB } from '../../../lib/billing/spend';
import { Button } from '../../../ui/controls/Button';
import { Cost } from '../../../ui/data/Cost';
import { Notice } from '../../../ui/feedback/Notice';
import { ProgressSteps } from '../../../ui/feedback/ProgressSteps';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Panel } from '../../../ui/layout/Panel';
import { Sections } from '../../../ui/layout/Sections';
import { color, space, type } from '../../../ui/theme';
import { DeployRefusal, RefusalNotice } from '../DeployRefusal';
import { FromTemplate } from '../templates/FromTemplate';
import { AdvancedSection } from './AdvancedSection';
import { ComposeSection } from './ComposeSection';
import { ContractStep } from './contract/ContractStep';
import { KmsField } from './contract/KmsField';
import { deployProblem, isOfferOver } from './deployProblem';
import { PlaceSection } from './PlaceSection';
import { PreflightPanel, RefusalChip } from './PreflightPanel';
import { SecretsSection } from './SecretsSection';
import { SizeSection } from './SizeSection';
import { type DeployEditor, NO_ACCESS, useDeployEditor } from './useDeployEditor';
import { VaultOffer } from './vault/VaultOffer';

const COLUMN = 860;
const Column = styled('div')({ maxWidth: COLUMN, minWidth: 0 });
// Inside the form, because its action bar is as wide as the page.
const Body = styled('div')({ display: 'grid', gap: space(5), maxWidth: COLUMN, minWidth: 0 });
const Fields = styled('fieldset')({ border: 0, margin: 0, padding: 0, minWidth: 0 });
const Under = styled('div')({ marginTop: space(3) });
const Name = styled('div')({ maxWidth: 420 });
const Total = styled('span')({ ...type.body, color: color.muted });
const Steps = styled('div')({ border: `1px solid ${color.line}`, borderRadius: 8, padding: space(4) });

const NO_TEMPLATE = { template_id: '', template_name: '', template_version: '' };

/** The deploy form: compose file, secrets, size and location. */
export function DeployPage({ teamSlug }: { teamSlug: string }) {
  const editor = useDeployEditor(teamSlug);
  const { form, role, deploy, preflight, blocked, edit } = editor;
  return (
    <>
      <Column>
        <PageHeader
          title="Deploy"
          subtitle="Run a Compose file in a confidential VM."
          {...(editor.isEmpty ? {} : { secondary: <Button onClick={editor.startOver}>Start over</Button> })}
        />
        <DeployRefusal role={role} />
        {editor.access !== undefined && <RefusalNotice title={NO_ACCESS}>{editor.access}</RefusalNotice>}
      </Column>
      <FormShell
        stickyActions
        aria-label="Deploy"
        error={deployProblem(deploy.error)}
        pending={deploy.isPending}
        onSubmit={editor.submit}
        submitLabel={isOfferOver(deploy.error) ? 'Deploy again' : deploy.isError ? 'Try again' : 'Deploy'}
        pendingLabel="Deploying"
        {...(blocked === undefined ? {} : { blockedReason: blocked })}
        secondary={
          preflight && (
            <Total>
              <Cost usd={preflight.hourly_rate} per="hour" /> ·{' '}
              <Cost usd={preflight.monthly_estimate} per="month" />{' '}
              <RefusalChip refusal={preflight.refusal} />
            </Total>
          )
        }
      >
        <Body>
          <Fields disabled={!role.allowed}>
            <FormFields editor={editor} />
          </Fields>
          <PreflightPanel
            teamSlug={teamSlug}
            // Free capacity on a host that refuses the settings doesn't help.
            preflight={editor.isUnsupported && preflight?.refusal === null ? undefined : preflight}
            error={editor.preflightError}
            room={editor.room}
            fallback={editor.largest}
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

function FormFields({ editor }: { editor: DeployEditor }) {
  const { form, errors, hosts, sizes, edit } = editor;
  const readOnly = !editor.role.allowed;
  return (
    <Sections>
      <Name>
        <TextInput
          label="Name"
          value={form.name}
          maxLength={63}
          autoFocus={!readOnly && form.name === ''}
          autoComplete="off"
          spellCheck={false}
          placeholder="my-app"
          error={errors.name}
          help="5 to 63 letters, digits and dashes; included in the compose hash."
          onChange={(event) => edit({ name: event.target.value })}
        />
      </Name>
      {form.template_id !== '' && (
        <FromTemplate
          name={form.template_name}
          version={form.template_version}
          error={errors.template_id}
          onForget={readOnly ? undefined : () => edit(NO_TEMPLATE)}
        />
      )}
      <Panel title="Compose file">
        <ComposeSection
          value={form.compose}
          onChange={(compose) => edit({ compose })}
          live={editor.live}
          readOnly={readOnly}
          error={errors.compose}
        />
      </Panel>
      <SecretsPanel editor={editor} />
      <Panel title="Size">
        <SizeSection
          sizes={sizes}
          value={form}
          onChange={edit}
          errors={errors}
          includedDisk={sizes.find(({ id }) => id === form.size)?.default_disk_size_gb ?? CUSTOM_DISK_GB}
          diskHelp="The disk can grow later but never shrink."
        />
      </Panel>
      <Panel title="Location">
        <PlaceSection hosts={hosts} value={form} onChange={edit} errors={errors}>
          <KmsField
            kms_list={hosts.kms_list}
            value={form.kms}
            onChange={(kms) => edit({ kms })}
            error={errors.kms}
          />
        </PlaceSection>
      </Panel>
      <AdvancedSection hosts={hosts} value={form} onChange={edit} errors={errors} readOnly={readOnly} />
    </Sections>
  );
}

function SecretsPanel({ editor }: { editor: DeployEditor }) {
  const { form, hosts, edit } = editor;
  const readOnly = !editor.role.allowed;
  const emptyValues = form.secrets.filter(({ key, value }) => key !== '' && value === '').length;
  return (
    <Panel title="Secrets">
      <SecretsSection
        intro={`Values are encrypted in this browser. ${secretReaders(secretHostOf(hosts.nodes, form.place))} Names are included in the compose hash; values aren’t.`}
        rows={form.secrets}
        onChange={(secrets) => edit({ secrets })}
        analysis={editor.live.analysis}
        disabled={readOnly}
        error={editor.errors.secrets}
      />
      {emptyValues > 0 && (
        <Under>
          <Notice tone="neutral">
            {emptyValues === 1 ? 'One secret has' : `${emptyValues} secrets have`} no value and would be sent
            empty. Drafts never store values; enter them again after a reload.
          </Notice>
        </Under>
      )}
      {!readOnly && editor.hasSecrets && (
        <Under>
          <VaultOffer save={editor.saveCopy} onSave={editor.setSaveCopy} />
        </Under>
      )}
    </Panel>
  );
}
