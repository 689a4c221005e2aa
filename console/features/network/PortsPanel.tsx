import styled from '@emotion/styled';
import type { CvmNetwork, PublishedPort } from '../../../generated/api/types.gen';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { ToneChip } from '../../ui/feedback/ToneChip';
import type { Glyph, Tone } from '../../ui/feedback/status';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { color, space, tabular, type } from '../../ui/theme';
import type { NetworkProps } from './types';

const Notes = styled('div')({ display: 'grid', gap: space(3), marginTop: space(3) });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch' });
const Mono = styled('span')({ ...type.mono, ...tabular });

const REACH: Record<PublishedPort['reach'], { word: string; tone: Tone; glyph: Glyph; why: string }> = {
  public: { word: 'Public', tone: 'ok', glyph: 'check', why: 'Reachable by anyone through the gateway' },
  gateway_off: {
    word: 'Not reachable',
    tone: 'neutral',
    glyph: 'stopped',
    why: 'The gateway is disabled for this app',
  },
  loopback: {
    word: 'Inside the CVM',
    tone: 'neutral',
    glyph: 'dot',
    why: 'Published on 127.0.0.1 in the CVM. Omit the address to make it public',
  },
  udp: { word: 'Not reachable', tone: 'attention', glyph: 'warning', why: 'Gateways only route TCP' },
  undetermined: {
    word: 'Dynamic',
    tone: 'attention',
    glyph: 'warning',
    why: 'Docker or a variable picks the port. Set it explicitly, such as "8080:80"',
  },
  restricted: { word: 'Blocked', tone: 'neutral', glyph: 'stopped', why: 'Not in the app’s port policy' },
};

/** Published ports, who can reach them, and where to change them. */
export function PortsPanel({ network, link }: Pick<NetworkProps, 'link'> & { network: CvmNetwork }) {
  const { ports, gateway, host_ports } = network;
  const columns: Column<PublishedPort>[] = [
    { id: 'service', header: 'Service', width: 150, cell: ({ service }) => service },
    {
      id: 'reach',
      header: 'Access',
      width: 150,
      cell: ({ reach }) => (
        <ToneChip quiet tone={REACH[reach].tone} glyph={REACH[reach].glyph} title={REACH[reach].why}>
          {REACH[reach].word}
        </ToneChip>
      ),
    },
    {
      id: 'port',
      header: 'CVM port',
      width: 110,
      phone: 'meta',
      cell: ({ port, protocol }) => (
        <Mono>
          {port ?? '—'}
          {protocol === 'udp' ? '/udp' : ''}
        </Mono>
      ),
    },
    {
      id: 'container',
      header: 'Container port',
      width: 140,
      priority: 2,
      phone: 'hide',
      cell: ({ container_port }) => <Mono>{container_port ?? '—'}</Mono>,
    },
    { id: 'why', header: 'Why', priority: 3, phone: 'hide', cell: ({ reach }) => REACH[reach].why },
    {
      id: 'line',
      header: 'Compose file',
      width: 120,
      phone: 'meta',
      cell: ({ line }) => <TextLink href={link('compose', { line: String(line) })}>line {line}</TextLink>,
    },
  ];
  return (
    <Panel
      title="Ports"
      subtitle="Ports are part of the measured Compose file, so changing one updates the compose hash."
      actions={<TextLink href={link('compose')}>Edit Compose file</TextLink>}
    >
      <DataTable
        id="cvm-ports"
        label="Ports"
        noun={['port', 'ports']}
        columns={columns}
        rows={ports}
        rowId={({ service, port, container_port, protocol, line }) =>
          `${service} ${port} ${container_port} ${protocol} ${line}`
        }
        rowName={({ service, port }) => `${service} ${port ?? ''}`}
        empty={
          <EmptyState>
            The Compose file publishes no ports. Containers can still reach each other by service name.
          </EmptyState>
        }
      />
      <Notes>
        {gateway.enabled && gateway.kind === 'dstack_vmm' && !gateway.policy_restricts && (
          <Notice tone="attention" title="Other ports are reachable too.">
            Without a port policy the gateway routes to every CVM port, listed or not. That includes 8090,
            where the guest agent serves the data that the visibility settings make public.
          </Notice>
        )}
        <HostPorts {...host_ports} />
      </Notes>
    </Panel>
  );
}

function HostPorts({ supported, requested, mappings }: CvmNetwork['host_ports']) {
  if (mappings.length > 0)
    return (
      <Text>
        Host ports mapped directly to this VM, bypassing the gateway:{' '}
        {mappings.map(({ protocol, host_address, host_port, vm_port }) => (
          <Mono key={`${protocol} ${host_address} ${host_port}`}>
            {host_address || '*'}:{host_port} → {vm_port}/{protocol}{' '}
          </Mono>
        ))}
      </Text>
    );
  if (requested.length > 0)
    return (
      <Text>
        {supported === null
          ? 'Host ports requested for this deployment, not yet confirmed by the host: '
          : 'Host ports requested for this deployment that the host doesn’t map: '}
        {requested.map(({ protocol, host_port, vm_port }) => (
          <Mono key={`${protocol} ${host_port}`}>
            {host_port} → {vm_port}/{protocol}{' '}
          </Mono>
        ))}
      </Text>
    );
  return (
    <Text>
      {supported === null
        ? 'Couldn’t check whether the host maps ports to this VM.'
        : supported
          ? 'The host maps no ports to this VM. Host ports are chosen when a CVM is deployed.'
          : 'The host doesn’t map ports to VMs. The gateway is the only way in.'}
    </Text>
  );
}
