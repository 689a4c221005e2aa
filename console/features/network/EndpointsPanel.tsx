import { PendingButton } from '../../ui/controls/PendingButton';
import styled from '@emotion/styled';
import type { CvmNetwork, EndpointForm, PublishedPort } from '../../../generated/api/types.gen';
import { CopyButton } from '../../ui/controls/CopyButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { below, color, radius, space, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { CheckResult } from './CheckResult';
import { triedKey, type NetworkProps } from './types';

const Ports = styled('ul')({ display: 'grid', gap: space(4) });
const Card = styled('li')({ border: `1px solid ${color.line}`, borderRadius: radius.panel, minWidth: 0 });
const Head = styled('h3')({
  ...type.body,
  fontWeight: 550,
  padding: `${space(2.5)} ${space(4)}`,
  borderBottom: `1px solid ${color.line}`,
});
const Sub = styled('span')({ ...type.small, color: color.muted, fontWeight: 400 });
const Form = styled('div')({
  display: 'grid',
  gap: space(1.5),
  padding: `${space(3)} ${space(4)}`,
  '& + &': { borderTop: `1px solid ${color.line}` },
});
const Name = styled('p')({ ...type.small, fontWeight: 550 });
const Meaning = styled('span')({
  ...type.caption,
  color: color.muted,
  fontWeight: 400,
  marginLeft: space(1),
});
const Lines = styled('ul')({ display: 'grid', gap: space(1), minWidth: 0 });
const Line = styled('div')({
  display: 'grid',
  gridTemplateColumns: '88px minmax(0, 1fr) auto auto',
  gap: `0 ${space(2)}`,
  alignItems: 'center',
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr) auto auto' },
});
const Subject = styled('span')({
  ...type.caption,
  color: color.muted,
  [below.phone]: { gridColumn: '1 / -1' },
});
const Url = styled('span')({ ...type.mono, minWidth: 0, overflowWrap: 'anywhere' });
const Foot = styled('p')({ ...type.small, color: color.muted, marginTop: space(2), maxWidth: '72ch' });

const FORMS: Record<EndpointForm, { name: string; meaning: string }> = {
  http: { name: 'HTTPS', meaning: 'The gateway terminates TLS and forwards HTTP.' },
  tls: {
    name: 'TLS passthrough',
    meaning: 'The app terminates TLS with its own certificate; the gateway can’t read the traffic.',
  },
  grpc: { name: 'gRPC', meaning: 'The gateway terminates TLS and forwards HTTP/2.' },
};
const LOCAL = { name: 'HTTP', meaning: 'Plain HTTP, on the teepod’s machine only.' };

type Props = Pick<NetworkProps, 'cvm' | 'tried' | 'link' | 'onTry'> & { network: CvmNetwork };

/** Every published port with addresses to copy, open and test. */
export function EndpointsPanel(props: Props) {
  const { gateway, ports } = props.network;
  const open = ports.filter(({ reach }) => reach === 'public');
  return (
    <Panel
      title="Endpoints"
      subtitle={
        open.length === 0
          ? undefined
          : `Public: anyone ${gateway.kind === 'local' ? 'on the teepod’s machine ' : ''}with an address can open it. The app address routes to any running instance; the instance address only to this one.`
      }
    >
      {gateway.kind === 'local' && open.length > 0 && (
        <div style={{ marginBottom: 12 }}>
          <Notice tone="simulated" title="Local teepod.">
            Its gateway serves plain HTTP on its own machine. TLS passthrough and gRPC require a dstack
            gateway.
          </Notice>
        </div>
      )}
      {open.length === 0 ? (
        <EmptyState link={{ label: 'Compose file', href: props.link('compose') }}>
          {gateway.enabled
            ? 'Publish a port in the Compose file to get addresses.'
            : 'The gateway is disabled for this app, so it has no addresses.'}
        </EmptyState>
      ) : (
        <Ports>
          {open.map((port) => (
            <PortCard key={`${port.service} ${port.port}`} {...props} port={port} />
          ))}
        </Ports>
      )}
      {open.some(({ port }) => port === 80) && <Foot>Port 80 is the default, so “-80” can be omitted.</Foot>}
      {open.length > 0 && props.cvm.status !== 'running' && <Foot>Available while running.</Foot>}
    </Panel>
  );
}

function PortCard({ port, ...props }: Props & { port: PublishedPort }) {
  const { service, container_port, endpoints } = port;
  return (
    <Card>
      <Head>
        {service}, port {port.port}{' '}
        <Sub>
          {container_port !== null && container_port !== port.port
            ? `to container port ${container_port}`
            : ''}
        </Sub>
      </Head>
      {endpoints.map((endpoint) => {
        const { name, meaning } = props.network.gateway.kind === 'local' ? LOCAL : FORMS[endpoint.form];
        return (
          <Form key={endpoint.form}>
            <Name>
              {name} <Meaning>{meaning}</Meaning>
            </Name>
            <Lines>
              <Address {...props} port={port.port} form={endpoint.form} of="app" url={endpoint.app} />
              {endpoint.instance === null ? (
                <li>
                  <Subject>The instance gets its own address at first boot.</Subject>
                </li>
              ) : (
                <Address
                  {...props}
                  port={port.port}
                  form={endpoint.form}
                  of="instance"
                  url={endpoint.instance}
                />
              )}
            </Lines>
          </Form>
        );
      })}
    </Card>
  );
}

function Address({
  cvm,
  tried,
  onTry,
  port,
  form,
  of,
  url,
}: Pick<Props, 'cvm' | 'tried' | 'onTry'> & {
  port: number | null;
  form: EndpointForm;
  of: 'app' | 'instance';
  url: string;
}) {
  const what = { ...(port === null ? {} : { port }), form, of };
  const one = tried.get(triedKey(what));
  return (
    <li>
      <Line>
        <Subject>{of === 'app' ? 'App' : 'This instance'}</Subject>
        <Url>
          {cvm.status === 'running' && !cvm.simulated && form !== 'grpc' ? (
            <TextLink href={url} target="_blank">
              {url}
            </TextLink>
          ) : (
            <span style={{ color: color.muted }}>{url}</span>
          )}
        </Url>
        <CopyButton text={url} what="address" />
        {!cvm.simulated && (
          <PendingButton
            size="small"
            variant="text"
            pending={one?.pending === true}
            onClick={() => onTry(what)}
          >
            Try<VisuallyHidden> {url}</VisuallyHidden>
          </PendingButton>
        )}
      </Line>
      <CheckResult tried={one} />
    </li>
  );
}
