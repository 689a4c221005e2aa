import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import type { SsoSettings, SsoTest } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { conflictReason } from '../../../api/versions';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { curly } from '../../../lib/texts/curly';
import { CopyId } from '../../../ui/data/CopyId';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { ProgressSteps } from '../../../ui/feedback/ProgressSteps';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { color, space, type } from '../../../ui/theme';
import { CHECKS, PUT_LABELS, describeRules } from './ssoState';
import { useProviderForm, type ProviderEditing } from './useProviderForm';

const Redirect = styled('div')({
  ...type.small,
  color: color.muted,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  justifyItems: 'start',
  gap: space(1),
  minWidth: 0,
});

interface Props {
  slug: string;
  settings: SsoSettings;
  onCancel: (() => void) | undefined;
}

/** The provider and this server's registration with it. */
export function ProviderForm({ slug, settings, onCancel }: Props) {
  const { connection, redirect_uri } = settings;
  const editing = useProviderForm(slug, settings);
  const { form, save, check } = editing;
  return (
    <>
      <Redirect>
        Register this server with the provider as a web application. Redirect URI:
        <CopyId id={redirect_uri} what="redirect address" most={0} />
      </Redirect>
      <FormConflict form={form} labels={PUT_LABELS} show={{ role_rules: describeRules }} />
      <FormShell
        aria-label="Sign-in provider"
        error={editing.problem}
        fields={['issuer', 'client_id', 'client_secret', 'domain']}
        pending={save.isPending}
        onSubmit={editing.submit}
        submitLabel={connection === null ? 'Save and continue' : 'Save provider'}
        pendingLabel="Saving…"
        {...(form.conflict ? { blockedReason: conflictReason(form) ?? '' } : {})}
        secondary={
          <>
            <PendingButton
              onClick={() => check.mutate()}
              disabled={form.values.issuer.trim() === ''}
              pending={check.isPending}
            >
              Check
            </PendingButton>
            {onCancel && <Button onClick={onCancel}>Cancel</Button>}
          </>
        }
      >
        <Registration editing={editing} hasSecret={connection?.has_client_secret === true} />
        <Addresses editing={editing} />
      </FormShell>
      {check.error && <ErrorNotice problem={problemOf(check.error, 'Couldn’t check the provider')!} />}
      {check.data && <CheckResult test={check.data} />}
    </>
  );
}

function Registration({ editing, hasSecret }: { editing: ProviderEditing; hasSecret: boolean }) {
  const { form, secret, setSecret, missing, problem } = editing;
  const { issuer, client_id } = form.values;
  return (
    <>
      <TextInput
        label="Issuer"
        mono
        type="url"
        value={issuer}
        maxLength={2000}
        placeholder="https://login.example.com"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => form.edit({ issuer: event.target.value })}
        help="Exactly as the provider publishes it. The server reads the provider’s configuration from this address."
        error={missing(issuer, 'Enter the issuer.') ?? fieldProblem(problem, 'issuer')}
      />
      <TextInput
        label="Client ID"
        mono
        value={client_id}
        maxLength={300}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => form.edit({ client_id: event.target.value })}
        error={missing(client_id, 'Enter the client ID.') ?? fieldProblem(problem, 'client_id')}
      />
      <PasswordInput
        label="Client secret"
        optional
        value={secret}
        maxLength={1000}
        autoComplete="off"
        onChange={(event) => setSecret(event.target.value)}
        help={
          hasSecret
            ? 'A secret is saved. Leave this empty to keep it.'
            : 'Stored encrypted and never shown again. Leave empty for public clients; PKCE is always used.'
        }
        error={fieldProblem(problem, 'client_secret')}
      />
    </>
  );
}

/** Whose email addresses count. */
function Addresses({ editing: { form, missing, problem, proofEnds } }: { editing: ProviderEditing }) {
  const { domain, require_email_verified } = form.values;
  return (
    <>
      <TextInput
        label="Email domain"
        mono
        value={domain}
        maxLength={253}
        placeholder="example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => form.edit({ domain: event.target.value })}
        help={
          proofEnds
            ? 'A new domain or issuer has to be verified again. Until then, no one can sign in through the provider, and it isn’t required.'
            : 'Only users with an address at this domain can sign in through the provider.'
        }
        error={
          missing(domain, 'Enter the domain of your email addresses.') ?? fieldProblem(problem, 'domain')
        }
      />
      <SwitchInput
        label="Require verified email addresses"
        checked={require_email_verified ?? true}
        onChange={(event) => form.edit({ require_email_verified: event.target.checked })}
        help="Accepts only users the provider marks with email_verified: true. Turn off only if your provider leaves the claim out and users can’t choose their own address there."
      />
    </>
  );
}

/** Lists every step, skipped ones included. */
function CheckResult({ test }: { test: SsoTest }) {
  const steps = CHECKS.map((name) => {
    const step = test.steps.find((one) => one.name === name);
    return {
      id: name,
      label: name,
      state: step === undefined ? ('skipped' as const) : step.ok ? ('done' as const) : ('failed' as const),
      ...(step === undefined ? {} : { detail: curly(step.detail) }),
    };
  });
  return <ProgressSteps steps={steps} label="Provider check" />;
}
