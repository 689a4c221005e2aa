import styled from '@emotion/styled';
import { useState } from 'react';
import type { Domain, PublishedPort } from '../../../generated/api/types.gen';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { SelectInput } from '../../ui/forms/SelectInput';
import { TextInput } from '../../ui/forms/TextInput';
import { TextLink } from '../../ui/link';
import { color, space, type } from '../../ui/theme';
import { DNS_PROVIDERS, ingressCompose, ingressSecrets, type DnsProvider } from './ingress';
import type { NetworkProps } from './types';

const Box = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });
const Fields = styled('div')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
});
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '78ch' });

interface Props {
  domain: Pick<Domain, 'domain' | 'port' | 'scope'>;
  cname: string;
  ports: readonly PublishedPort[];
  link: NetworkProps['link'];
}

/** A compose snippet for a container that sets DNS records, gets a certificate and terminates TLS inside the CVM. */
export function IngressSnippet({ domain, cname, ports, link }: Props) {
  const [provider, setProvider] = useState<DnsProvider>('cloudflare');
  const [target, setTarget] = useState(() => {
    const web = ports.find(({ port, service }) => port !== domain.port && service !== 'ingress');
    return web ? `${web.service}:${web.container_port ?? 80}` : 'web:80';
  });
  const secrets = ingressSecrets(provider);
  return (
    <Box>
      <Text>
        The gateway has no certificate for your domain. If your app doesn’t have one either, add this
        container. It uses your DNS provider’s API token to set the records above, gets a Let’s Encrypt
        certificate inside the CVM and publishes evidence under /evidences/. Add {secrets.join(', ')} as
        secrets. Check the image digest against the project’s release.
      </Text>
      {domain.scope === 'instance' && (
        <Text>Its TXT record names the app, not this instance, so traffic goes to any instance.</Text>
      )}
      <Fields>
        <SelectInput
          label="DNS provider"
          value={provider}
          choices={Object.entries(DNS_PROVIDERS).map(([value, { label }]) => ({ value, label }))}
          onChange={(event) => setProvider(event.target.value as DnsProvider)}
        />
        <TextInput
          label="App service and port"
          mono
          value={target}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTarget(event.target.value)}
          help="From the Compose file, over plain HTTP."
        />
      </Fields>
      <CodeBlock
        title="Add to docker-compose.yml"
        code={ingressCompose({ domain: domain.domain, port: domain.port, cname, target, provider })}
      />
      <Text>
        <TextLink href={link('compose')}>Open the Compose file</TextLink>. The update changes the compose
        hash.
      </Text>
    </Box>
  );
}
