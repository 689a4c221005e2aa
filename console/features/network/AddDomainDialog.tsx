import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createCvmDomain } from '../../../generated/api/sdk.gen';
import type { PublishedPort } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useIdempotencyKey } from '../../api/useIdempotencyKey';
import { fieldProblem } from '../../ui/feedback/problem';
import { useToast } from '../../ui/feedback/toasts';
import { FormDialog } from '../../ui/forms/FormDialog';
import { FormShell } from '../../ui/forms/FormShell';
import { RadioCards } from '../../ui/forms/RadioCards';
import { TextInput } from '../../ui/forms/TextInput';
import { domainsOptions } from './queries';

interface Props {
  teamSlug: string;
  vmUuid: string;
  appName: string;
  ports: readonly PublishedPort[];
  onClose: () => void;
}

export function AddDomainDialog({ appName, ...form }: Props) {
  return (
    <FormDialog
      open
      wide
      onClose={form.onClose}
      title={`Add a domain to ${appName}`}
      intro="You’ll get the DNS records to set. The domain is verified once its TXT record names the app."
    >
      <AddDomainForm {...form} />
    </FormDialog>
  );
}

function AddDomainForm({ teamSlug, vmUuid, ports, onClose }: Omit<Props, 'appName'>) {
  const open = ports.flatMap(({ port, reach }) => (reach === 'public' && port !== null ? [port] : []));
  const [domain, setDomain] = useState('');
  const [port, setPort] = useState('443');
  const [scope, setScope] = useState<'app' | 'instance'>('app');
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { headers } = inTeam(teamSlug);
      const body = { domain: domain.trim(), port: Number(port), scope };
      const { data } = await createCvmDomain({
        headers: { ...headers, ...idempotent(body) },
        path: { cvm_id: vmUuid },
        body,
        throwOnError: true,
      });
      return data;
    },
    onSuccess: async ({ domain_unicode }) => {
      await queryClient.invalidateQueries({ queryKey: domainsOptions(teamSlug, vmUuid).queryKey });
      toast({ tone: 'ok', title: `${domain_unicode} added`, message: 'Set its DNS records next.' });
      onClose();
    },
  });
  const problem = problemOf(error, 'Couldn’t add the domain');
  const badPort = !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535;
  const submit = () => {
    setTried(true);
    if (domain.trim() !== '' && !badPort) mutate();
  };
  return (
    <FormShell
      aria-label="Add a domain"
      error={problem}
      fields={['domain', 'port']}
      pending={isPending}
      onSubmit={submit}
      onCancel={onClose}
      submitLabel="Add domain"
      pendingLabel="Adding…"
    >
      <TextInput
        label="Domain"
        mono
        autoFocus
        value={domain}
        maxLength={255}
        placeholder="app.example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setDomain(event.target.value)}
        help="A name, or *.example.com for all its subdomains."
        error={tried && domain.trim() === '' ? 'Enter the domain.' : fieldProblem(problem, 'domain')}
      />
      <TextInput
        label="CVM port"
        mono
        inputMode="numeric"
        value={port}
        maxLength={5}
        onChange={(event) => setPort(event.target.value.trim())}
        help={
          open.includes(Number(port))
            ? 'The gateway passes TLS through, so the app must accept TLS on this port.'
            : `The app must accept TLS on this port. ${open.length === 0 ? 'No ports are published yet.' : `Published ports: ${open.join(', ')}.`}`
        }
        error={tried && badPort ? 'Enter a port from 1 to 65535.' : fieldProblem(problem, 'port')}
      />
      <RadioCards
        label="Target"
        name="scope"
        value={scope}
        onChange={(value) => setScope(value === 'instance' ? 'instance' : 'app')}
        cards={[
          {
            value: 'app',
            name: 'Any instance of the app',
            specs: 'Traffic is spread across all running instances.',
          },
          { value: 'instance', name: 'This instance only', specs: 'Unavailable while it is stopped.' },
        ]}
      />
    </FormShell>
  );
}
