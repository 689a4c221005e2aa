import { styled } from '@mui/material/styles';
import type { CvmNetwork, PublishedPort } from '../../../../generated/api/types.gen';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Notice } from '../../../ui/feedback/Notice';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import type { Glyph, Tone } from '../../../ui/feedback/status';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, tabular, type } from '../../../ui/theme';
import type { NetworkProps } from './types';

const Notes = styled('div')({ display: 'grid', gap: space(3), marginTop: space(3) });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch' });
const Mono = styled('span')({ ...type.mono, ...tabular });

const REACH: Record<PublishedPort['reach'], { word: string; tone: Tone; glyph: Glyph; why: string }> = {
  public: { word: 'Public', tone: 'ok', glyph: 'check', why: 'Reached by everybody through the gateway' },
  gateway_off: { word: 'Not reached', tone: 'neutral', glyph: 'stopped', why: 'The app has no gateway' },
  loopback: {
    word: 'Inside the CVM',
    tone: 'neutral',
    glyph: 'dot',
    why: 'Published on 127.0.0.1 of the CVM: leave that out to open it',
  },
  udp: { word: 'Not reached', tone: 'attention', glyph: 'warning', why: 'Gateways lead TCP only' },
  undetermined: {
    word: 'Not fixed',
    tone: 'attention',
    glyph: 'warning',
    why: 'Docker or a variable picks the port: write it as "8080:80"',
  },
  restricted: { word: 'Shut', tone: 'neutral', glyph: 'stopped', why: 'Not in the port policy of the app' },
};

/** What the compose file publishes, who reaches it, and where to change it. */
export function PortsPanel({ network, link }: Pick<NetworkProps, 'link'> & { network: CvmNetwork }) {
  const { ports, gateway, host_ports } = network;
  const columns: Column<PublishedPort>[] = [
    { id: 'service', header: 'Service', cell: ({ service }) => service },
    {
      id: 'reach',
      header: 'Reached',
      width: 150,
      cell: ({ reach }) => (
        <ToneChip quiet tone={REACH[reach].tone} glyph={REACH[reach].glyph} title={REACH[reach].why}>
          {REACH[reach].word}
        </ToneChip>
      ),
    },
    {
      id: 'port',
      header: 'Port of the CVM',
      width: 140,
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
      header: 'Of the container',
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
      subtitle="Ports are part of the compose file, which is measured: changing one is an update with a new compose hash."
      actions={<TextLink href={link('compose')}>Change in the compose file</TextLink>}
    >
      <DataTable
        id="cvm-ports"
        label="Ports"
        columns={columns}
        rows={ports}
        rowId={({ service, port, container_port, protocol, line }) =>
          `${service} ${port} ${container_port} ${protocol} ${line}`
        }
        rowName={({ service, port }) => `${service} ${port ?? ''}`}
        empty={
          <EmptyState>
            The compose file publishes no port. Containers still reach each other by their service names.
          </EmptyState>
        }
      />
      <Notes>
        {gateway.enabled && gateway.kind === 'dstack_vmm' && !gateway.policy_restricts && (
          <Notice tone="attention" title="Other ports are not shut.">
            Without a port policy the gateway leads to every port of the CVM, listed here or not: also to
            8090, where the guest agent shows what the visibility settings make public.
          </Notice>
        )}
        <HostPorts {...host_ports} />
      </Notes>
    </Panel>
  );
}

function HostPorts({ supported, mappings }: CvmNetwork['host_ports']) {
  if (mappings.length > 0)
    return (
      <Text>
        Ports of the host that lead straight to this VM, set by its operator:{' '}
        {mappings.map(({ protocol, host_address, host_port, vm_port }) => (
          <Mono key={`${protocol} ${host_address} ${host_port}`}>
            {host_address || '*'}:{host_port} → {vm_port}/{protocol}{' '}
          </Mono>
        ))}
      </Text>
    );
  return (
    <Text>
      {supported === null
        ? 'Whether the host maps ports of its own to this VM could not be read.'
        : supported
          ? 'The host can map ports of its own to VMs, and maps none to this one. Only its operator sets them.'
          : 'The host maps no ports of its own: the gateway is the only way in.'}
    </Text>
  );
}
