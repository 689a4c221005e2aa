import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createCvmDomain } from '../../../../generated/api/sdk.gen';
import type { PublishedPort } from '../../../../generated/api/types.gen';
import { inTeam, newIdempotencyKey } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { RadioCards } from '../../../ui/forms/RadioCards';
import { TextInput } from '../../../ui/forms/TextInput';
import { domainsOptions } from './queries';

interface Props {
  teamSlug: string;
  vmUuid: string;
  ports: readonly PublishedPort[];
  onClose: () => void;
}

export function AddDomainDialog({ teamSlug, vmUuid, ports, onClose }: Props) {
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title="Add a domain"
      intro="You get the records to set. The domain is yours here once its TXT record names the app."
    >
      <AddDomainForm {...{ teamSlug, vmUuid, ports, onClose }} />
    </FormDialog>
  );
}

function AddDomainForm({ teamSlug, vmUuid, ports, onClose }: Props) {
  const open = ports.flatMap(({ port, reach }) => (reach === 'public' && port !== null ? [port] : []));
  const [domain, setDomain] = useState('');
  const [port, setPort] = useState('443');
  const [scope, setScope] = useState<'app' | 'instance'>('app');
  const [tried, setTried] = useState(false);
  const [key] = useState(newIdempotencyKey);
  const queryClient = useQueryClient();
  const toast = useToast();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { headers } = inTeam(teamSlug);
      // The same form again is the same domain; another name is another request.
      const once = {
        ...headers,
        'Idempotency-Key': `${key}-${scope}-${port}-${domain.trim()}`.slice(0, 255),
      };
      const { data } = await createCvmDomain({
        headers: once,
        path: { cvm_id: vmUuid },
        body: { domain: domain.trim(), port: Number(port), scope },
        throwOnError: true,
      });
      return data;
    },
    onSuccess: async ({ domain_unicode }) => {
      await queryClient.invalidateQueries({ queryKey: domainsOptions(teamSlug, vmUuid).queryKey });
      toast({ tone: 'ok', title: `${domain_unicode} is added`, message: 'Set its records in DNS now.' });
      onClose();
    },
  });
  const problem = problemOf(error, 'The domain was not added');
  const badPort = !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535;
  const submit = () => {
    setTried(true);
    if (domain.trim() !== '' && !badPort) mutate();
  };
  return (
    <FormShell
      aria-label="Add a domain"
      error={problem}
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
        help="A name, or *.example.com for all names under it."
        error={tried && domain.trim() === '' ? 'Enter the domain.' : fieldProblem(problem, 'domain')}
      />
      <TextInput
        label="Port of the CVM"
        mono
        inputMode="numeric"
        value={port}
        maxLength={5}
        onChange={(event) => setPort(event.target.value.trim())}
        help={
          open.includes(Number(port))
            ? 'The gateway passes TLS through: the app has to speak TLS there.'
            : `The app has to speak TLS there. ${open.length === 0 ? 'No port is published yet.' : `Published now: ${open.join(', ')}.`}`
        }
        error={tried && badPort ? 'Enter a port from 1 to 65535.' : fieldProblem(problem, 'port')}
      />
      <RadioCards
        label="Leads to"
        name="scope"
        value={scope}
        onChange={(value) => setScope(value === 'instance' ? 'instance' : 'app')}
        cards={[
          { value: 'app', name: 'Any instance of the app', specs: 'Visitors are spread over all that run.' },
          { value: 'instance', name: 'This instance only', specs: 'Nobody answers while it is stopped.' },
        ]}
      />
    </FormShell>
  );
}
