import styled from '@emotion/styled';
import type { CvmNetwork, NetworkInterface } from '../../../generated/api/types.gen';
import { formatBytes } from '../../lib/cvms/sizes';
import { formatDuration } from '../../lib/time/time';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { Panel } from '../../ui/layout/Panel';
import { color, space, tabular, type } from '../../ui/theme';

const Mono = styled('span')({ ...type.mono, overflowWrap: 'anywhere' });
const Figure = styled('span')({ ...tabular });
const Sub = styled('span')({ ...type.caption, display: 'block', color: color.muted });
const Gap = styled('div')({ height: space(4) });

const columns: Column<NetworkInterface>[] = [
  { id: 'name', header: 'Interface', width: 140, cell: ({ name }) => <Mono>{name}</Mono> },
  {
    id: 'addresses',
    header: 'Addresses',
    phone: 'meta',
    cell: ({ addresses }) => <Mono>{addresses.join(', ') || '—'}</Mono>,
  },
  {
    id: 'rx',
    header: 'Received',
    width: 110,
    align: 'right',
    phone: 'meta',
    cell: ({ rx_bytes }) => <Figure>{formatBytes(rx_bytes)}</Figure>,
  },
  {
    id: 'tx',
    header: 'Sent',
    width: 110,
    align: 'right',
    phone: 'meta',
    cell: ({ tx_bytes }) => <Figure>{formatBytes(tx_bytes)}</Figure>,
  },
  {
    id: 'errors',
    header: 'Errors',
    width: 90,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: ({ rx_errors, tx_errors }) => <Figure>{rx_errors + tx_errors}</Figure>,
  },
];

/** The guest's network state, as reported by the guest. */
export function GuestPanel({ network }: { network: CvmNetwork }) {
  const { is_online, error, internal_ip, dns_servers, interfaces } = network;
  return (
    <Panel title="Inside the CVM" subtitle="Reported by the guest; not attested. Bytes since boot.">
      {!is_online ? (
        <EmptyState>{error ?? 'The guest isn’t responding.'}</EmptyState>
      ) : (
        <>
          <KeyValue
            facts={[
              { label: 'Tunnel to the gateway', value: <Handshake {...network.handshake} />, wide: true },
              { label: 'Internal address', value: internal_ip === null ? '—' : <Mono>{internal_ip}</Mono> },
              {
                label: 'DNS servers',
                value: dns_servers.length === 0 ? '—' : <Mono>{dns_servers.join(', ')}</Mono>,
              },
            ]}
          />
          <Gap />
          <DataTable
            id="cvm-interfaces"
            label="Interfaces"
            noun={['interface', 'interfaces']}
            columns={columns}
            rows={interfaces}
            rowId={({ name }) => name}
            rowName={({ name }) => name}
            empty={<EmptyState>The guest reports no interfaces.</EmptyState>}
          />
        </>
      )}
    </Panel>
  );
}

function Handshake({ state, age_seconds }: CvmNetwork['handshake']) {
  const age = age_seconds === null ? null : formatDuration(age_seconds);
  switch (state) {
    case 'fresh':
      return (
        <ToneChip quiet tone="ok" glyph="check">
          Last handshake {age === null ? '' : `${age} ago`}
        </ToneChip>
      );
    case 'stale':
      return (
        <>
          <ToneChip quiet tone="error" glyph="cross">
            {age === null ? 'Last handshake at an unknown time' : `No handshake for ${age}`}
          </ToneChip>
          <Sub>The gateway stops routing here after 30 minutes without one.</Sub>
        </>
      );
    case 'never':
      return (
        <>
          <ToneChip quiet tone="error" glyph="cross">
            No handshake yet
          </ToneChip>
          <Sub>The gateway doesn’t route here until the first handshake.</Sub>
        </>
      );
    case 'unused':
      return <>None. This host routes traffic without a tunnel.</>;
    default:
      return <>—</>;
  }
}
