import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { testSso } from '../../../../generated/api/sdk.gen';
import type { SsoSettings, SsoTest } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { conflictReason } from '../../../api/versions';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { curly } from '../../../lib/texts/curly';
import { CopyId } from '../../../ui/data/CopyId';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { ProgressSteps } from '../../../ui/feedback/ProgressSteps';
import { useToast } from '../../../ui/feedback/toasts';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { color, space, type } from '../../../ui/theme';
import { CHECKS, PUT_LABELS, describeRules } from './ssoState';
import { useSave, useSsoForm } from './useSave';

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
  const { connection, redirect_uri: redirectUri } = settings;
  const form = useSsoForm(slug, settings);
  const { issuer, client_id: clientId, domain } = form.values;
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const toast = useToast();
  const save = useSave(slug, form.send, () => {
    form.reset();
    setSecret('');
    toast({ tone: 'ok', title: 'Provider saved' });
  });
  const check = useMutation({
    mutationFn: async () =>
      (
        await testSso({
          ...inTeam(slug),
          path: { slug },
          body: { issuer: issuer.trim() },
          throwOnError: true,
        })
      ).data,
  });

  const problem = problemOf(save.error, 'Couldn’t save the provider');
  const missing = (value: string, what: string) => (tried && value.trim() === '' ? what : undefined);
  const proofEnds =
    connection?.domain_verified_at != null &&
    (connection.domain !== domain.trim().toLowerCase() || connection.issuer !== issuer.trim());

  const submit = () => {
    setTried(true);
    if ([issuer, clientId, domain].some((value) => value.trim() === '')) return;
    save.mutate({
      ...form.values,
      issuer: issuer.trim(),
      client_id: clientId.trim(),
      domain: domain.trim(),
      // Losing the domain proof also lifts the requirement; it can be required again after the next verification.
      enforced: form.values.enforced && !proofEnds,
      ...(secret === '' ? {} : { client_secret: secret }),
    });
  };

  return (
    <>
      <Redirect>
        Register this server with the provider as a web application. Redirect URI:
        <CopyId id={redirectUri} what="redirect address" most={0} />
      </Redirect>
      <FormConflict form={form} labels={PUT_LABELS} show={{ role_rules: describeRules }} />
      <FormShell
        aria-label="Sign-in provider"
        error={problem}
        fields={['issuer', 'client_id', 'client_secret', 'domain']}
        pending={save.isPending}
        onSubmit={submit}
        submitLabel={connection === null ? 'Save and continue' : 'Save provider'}
        pendingLabel="Saving…"
        {...(form.conflict ? { blockedReason: conflictReason(form) ?? '' } : {})}
        secondary={
          <>
            <PendingButton
              onClick={() => check.mutate()}
              disabled={issuer.trim() === ''}
              pending={check.isPending}
            >
              Check
            </PendingButton>
            {onCancel && <Button onClick={onCancel}>Cancel</Button>}
          </>
        }
      >
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
          help="Exactly as the provider publishes it. Its configuration is read from this address."
          error={missing(issuer, 'Enter the issuer.') ?? fieldProblem(problem, 'issuer')}
        />
        <TextInput
          label="Client ID"
          mono
          value={clientId}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => form.edit({ client_id: event.target.value })}
          error={missing(clientId, 'Enter the client ID.') ?? fieldProblem(problem, 'client_id')}
        />
        <PasswordInput
          label="Client secret"
          optional
          value={secret}
          maxLength={1000}
          autoComplete="off"
          onChange={(event) => setSecret(event.target.value)}
          help={
            connection?.has_client_secret
              ? 'A secret is stored, encrypted. Leave empty to keep it.'
              : 'Stored encrypted and never shown again. Leave empty for public clients; PKCE is always used.'
          }
          error={fieldProblem(problem, 'client_secret')}
        />
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
          checked={form.values.require_email_verified ?? true}
          onChange={(event) => form.edit({ require_email_verified: event.target.checked })}
          help="Accepts only users the provider marks with email_verified: true. Turn off only if your provider leaves the claim out and users can’t choose their own address there."
        />
      </FormShell>
      {check.error && <ErrorNotice problem={problemOf(check.error, 'Couldn’t check the provider')!} />}
      {check.data && <CheckResult test={check.data} />}
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
