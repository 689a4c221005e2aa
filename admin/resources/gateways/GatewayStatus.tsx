import type { AdminGatewayStatus } from '../../../generated/api/types.gen';
import { count } from '../../../console/lib/texts/count';
import { PendingButton } from '../../../console/ui/controls/PendingButton';
import { CopyId } from '../../../console/ui/data/CopyId';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Notice } from '../../../console/ui/feedback/Notice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { ToneChip } from '../../../console/ui/feedback/ToneChip';
import { Panel } from '../../../console/ui/layout/Panel';
import { TextLink } from '../../../console/ui/link';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { useFleetQuery } from '../fleet/api';

type Instance = AdminGatewayStatus['instances'][number];
type Domain = AdminGatewayStatus['domains'][number];
type Node = AdminGatewayStatus['nodes'][number];

/** Certificates are normally renewed well before this. */
const SOON_MS = 14 * 86_400_000;

const number = (value: number | null) => (value === null ? 'Not reported' : count(value));
const time = (at: string | null) => (at === null ? 'Never' : <RelativeTime at={at} />);

/** Connections, CVMs, nodes and certificates, as the gateway currently reports them. */
export function GatewayStatus({ record }: { record: AdminRecord }) {
  const path = `/gateways/${record.id}/status`;
  const { data, error, refetch, isFetching } = useFleetQuery<AdminGatewayStatus>(path);
  return (
    <Panel
      title="Status"
      subtitle="Reported by the gateway, not attested."
      actions={
        <PendingButton pending={isFetching} onClick={() => refetch()}>
          Refresh
        </PendingButton>
      }
    >
      {error && <ErrorNotice problem={problemOf(error, 'Couldn’t load the status', () => void refetch())} />}
      {!data ? (
        !error && <PageSkeleton part rows={4} label="Loading the status" />
      ) : data.state === 'no_address' ? (
        <EmptyState picture="hosts" title="No admin address">
          Edit the gateway to enter the address and token of its admin API. By default it listens only on
          127.0.0.1:8011 on the gateway’s machine.
        </EmptyState>
      ) : data.state === 'unreachable' ? (
        <Notice tone="error" title="Gateway unreachable">
          {data.error}
        </Notice>
      ) : (
        <Facts data={data} />
      )}
    </Panel>
  );
}

function Facts({ data }: { data: AdminGatewayStatus }) {
  const { instances, instance_count, domains, domains_error, nodes, read_at } = data;
  const hidden = (instance_count ?? 0) - instances.length;
  return (
    <>
      <KeyValue
        facts={[
          { label: 'Updated', value: <RelativeTime at={read_at} /> },
          { label: 'Connections, all nodes', value: number(data.total_connections) },
          { label: 'Connections, this node', value: number(data.node_connections) },
          { label: 'CVMs registered', value: number(data.registered) },
          { label: 'CVMs online', value: number(data.online) },
        ]}
      />
      <DataTable<Domain>
        id="admin-gateway-domains"
        label="Domains"
        noun={['domain', 'domains']}
        columns={DOMAINS}
        rows={domains}
        rowId={({ domain }) => domain}
        rowName={({ domain }) => domain}
        empty={
          <EmptyState picture="domains" title="No domains">
            {domains_error ?? 'The gateway serves no domains.'}
          </EmptyState>
        }
      />
      <DataTable<Instance>
        id="admin-gateway-instances"
        noun={['CVM', 'CVMs']}
        columns={INSTANCES}
        rows={instances}
        rowId={({ instance_id }) => instance_id}
        rowName={({ cvm_name, instance_id }) => cvm_name ?? instance_id}
        empty={
          <EmptyState picture="cvms" title="No CVMs">
            No CVMs are registered with the gateway.
          </EmptyState>
        }
      />
      {instances.length > 0 && (
        <p>
          The gateway reports its last handshake with each CVM, not whether it routes traffic there. By
          default it stops after 30 minutes without a handshake.
        </p>
      )}
      {hidden > 0 && <p>{`${count(hidden)} more with newer handshakes aren’t listed.`}</p>}
      <DataTable<Node>
        id="admin-gateway-nodes"
        label="Nodes"
        noun={['node', 'nodes']}
        columns={NODES}
        rows={nodes}
        rowId={({ id }) => String(id)}
        rowName={({ url }) => url}
        empty={
          <EmptyState picture="hosts" title="No nodes">
            The gateway reports no nodes.
          </EmptyState>
        }
      />
    </>
  );
}

const DOMAINS: Column<Domain>[] = [
  { id: 'domain', header: 'Domain', cell: ({ domain }) => domain },
  { id: 'port', header: 'Port', width: 90, cell: ({ port }) => port },
  { id: 'certificate', header: 'Certificate', width: 150, cell: certificate },
  { id: 'expires', header: 'Expires', width: 150, cell: ({ expires_at }) => time(expires_at) },
  { id: 'issued', header: 'Issued', width: 150, priority: 2, cell: ({ issued_at }) => time(issued_at) },
];

function certificate({ has_certificate, expires_at, loaded }: Domain) {
  if (!has_certificate)
    return (
      <ToneChip quiet tone="error" glyph="cross">
        None
      </ToneChip>
    );
  const left = expires_at === null ? 0 : Date.parse(expires_at) - Date.now();
  if (left <= 0)
    return (
      <ToneChip quiet tone="error" glyph="cross">
        Expired
      </ToneChip>
    );
  if (left < SOON_MS)
    return (
      <ToneChip quiet tone="attention" glyph="warning">
        Expires soon
      </ToneChip>
    );
  if (!loaded)
    return (
      <ToneChip quiet tone="attention" glyph="warning">
        Not loaded
      </ToneChip>
    );
  return (
    <ToneChip quiet tone="ok" glyph="check">
      Valid
    </ToneChip>
  );
}

const INSTANCES: Column<Instance>[] = [
  {
    id: 'cvm',
    header: 'CVM',
    cell: ({ cvm_id, cvm_name, instance_id }) =>
      cvm_id === null ? (
        <CopyId id={instance_id} what="instance ID" most={24} />
      ) : (
        <TextLink href={adminHref.show('cvms', cvm_id)}>{cvm_name ?? cvm_id}</TextLink>
      ),
  },
  {
    id: 'app',
    header: 'App',
    width: 170,
    priority: 2,
    cell: ({ app_id }) => <CopyId id={app_id} what="app ID" most={12} />,
  },
  { id: 'handshake', header: 'Last handshake', width: 150, cell: ({ handshake_at }) => time(handshake_at) },
  {
    id: 'connections',
    header: 'Connections',
    width: 120,
    align: 'right',
    cell: ({ connections }) => number(connections),
  },
];

const NODES: Column<Node>[] = [
  { id: 'url', header: 'Node', cell: ({ url, id }) => url || `Node ${id}` },
  { id: 'status', header: 'Status', width: 120, cell: ({ status }) => status ?? 'Not reported' },
  { id: 'seen', header: 'Last seen', width: 150, cell: ({ last_seen_at }) => time(last_seen_at) },
];
