import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { testSso } from '../../../generated/api/sdk.gen';
import type { SsoConnection, SsoTest } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { Spinner } from '../../ui/controls/Spinner';
import { CopyId } from '../../ui/data/CopyId';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { fieldProblem } from '../../ui/feedback/problem';
import { ProgressSteps } from '../../ui/feedback/ProgressSteps';
import { useToast } from '../../ui/feedback/toasts';
import { FormShell } from '../../ui/forms/FormShell';
import { PasswordInput } from '../../ui/forms/PasswordInput';
import { TextInput } from '../../ui/forms/TextInput';
import { color, space, type } from '../../ui/theme';
import { asPut, CHECKS } from './ssoState';
import { useSave } from './useSave';

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
  connection: SsoConnection | null;
  redirectUri: string;
  onCancel: (() => void) | undefined;
}

/** The provider and this server, as each has to know the other. */
export function ProviderForm({ slug, connection, redirectUri, onCancel }: Props) {
  const [issuer, setIssuer] = useState(connection?.issuer ?? '');
  const [clientId, setClientId] = useState(connection?.client_id ?? '');
  const [secret, setSecret] = useState('');
  const [domain, setDomain] = useState(connection?.domain ?? '');
  const [tried, setTried] = useState(false);
  const toast = useToast();
  const save = useSave(slug, () => {
    setSecret('');
    toast({ tone: 'ok', title: 'The provider is kept' });
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

  const problem = problemOf(save.error, 'The provider was not kept');
  const missing = (value: string, what: string) => (tried && value.trim() === '' ? what : undefined);
  const proofEnds =
    connection?.domain_verified_at != null &&
    (connection.domain !== domain.trim().toLowerCase() || connection.issuer !== issuer.trim());

  const submit = () => {
    setTried(true);
    if ([issuer, clientId, domain].some((value) => value.trim() === '')) return;
    save.mutate({
      ...(connection
        ? asPut(connection)
        : { default_role: 'viewer' as const, role_claim: null, role_rules: [] }),
      issuer: issuer.trim(),
      client_id: clientId.trim(),
      domain: domain.trim(),
      // A proof that ends takes the rule with it; it can be required again after the next one.
      enforced: connection !== null && connection.enforced && !proofEnds,
      ...(secret === '' ? {} : { client_secret: secret }),
    });
  };

  return (
    <>
      <Redirect>
        Register this server at the provider as a web application with the redirect address
        <CopyId id={redirectUri} what="redirect address" most={0} />
      </Redirect>
      <FormShell
        aria-label="Sign-in provider"
        error={problem}
        pending={save.isPending}
        onSubmit={submit}
        submitLabel={connection === null ? 'Save and go on' : 'Save provider'}
        pendingLabel="Saving…"
        secondary={
          <>
            <Button
              onClick={() => check.mutate()}
              disabled={issuer.trim() === '' || check.isPending}
              startIcon={check.isPending ? <Spinner /> : undefined}
            >
              Check
            </Button>
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
          onChange={(event) => setIssuer(event.target.value)}
          help="As the provider writes it, to the letter. Its settings are read from there."
          error={missing(issuer, 'Enter the issuer.') ?? fieldProblem(problem, 'issuer')}
        />
        <TextInput
          label="Client ID"
          mono
          value={clientId}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setClientId(event.target.value)}
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
              ? 'One is kept, encrypted, and never shown again. Leave this empty to keep it.'
              : 'Kept encrypted and never shown again. Public clients have none; PKCE is used in any case.'
          }
          error={fieldProblem(problem, 'client_secret')}
        />
        <TextInput
          label="E-mail domain"
          mono
          value={domain}
          maxLength={253}
          placeholder="example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setDomain(event.target.value)}
          help={
            proofEnds
              ? 'With another domain or issuer the proof starts again: until then nobody signs in through the provider, and it is not required.'
              : 'Only people with an address at this domain come in through the provider.'
          }
          error={
            missing(domain, 'Enter the domain of your e-mail addresses.') ?? fieldProblem(problem, 'domain')
          }
        />
      </FormShell>
      {check.error && <ErrorNotice problem={problemOf(check.error, 'The provider was not checked')!} />}
      {check.data && <CheckResult test={check.data} />}
    </>
  );
}

/** Every step is named, also the ones that were not reached. */
function CheckResult({ test }: { test: SsoTest }) {
  const steps = CHECKS.map((name) => {
    const step = test.steps.find((one) => one.name === name);
    return {
      id: name,
      label: name,
      state: step === undefined ? ('skipped' as const) : step.ok ? ('done' as const) : ('failed' as const),
      ...(step === undefined ? {} : { detail: step.detail }),
    };
  });
  return <ProgressSteps steps={steps} label="Check of the provider" />;
}
