import { useParams } from 'react-admin';
import type { AdminManagedCvm, AdminManagedCvms } from '../../../generated/api/types.gen';
import { CopyId } from '../../../console/ui/data/CopyId';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { formatGb, formatMb } from '../../../console/lib/sizes';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { useFleetQuery } from './api';
import { DriftChips } from './drift';
import { Repair } from './Repair';
import { Silent } from './Silent';
import { TeepodPage } from './TeepodPage';

const columns: Column<AdminManagedCvm>[] = [
  { id: 'name', header: 'CVM', cell: ({ name }) => name },
  { id: 'team', header: 'Team', width: 150, priority: 2, cell: ({ team_slug }) => team_slug },
  { id: 'drift', header: 'Differs', width: 150, cell: ({ drift }) => <DriftChips drift={drift} /> },
  { id: 'status', header: 'Status', width: 120, cell: ({ status }) => <StatusChip quiet status={status} /> },
  {
    id: 'host_status',
    header: 'On the host',
    width: 120,
    cell: ({ host_status }) => (host_status === null ? '—' : <StatusChip quiet status={host_status} />),
  },
  {
    id: 'size',
    header: 'Size',
    width: 190,
    priority: 3,
    cell: ({ vcpu, memory_mb, disk_gb }) => `${vcpu} vCPU · ${formatMb(memory_mb)} · ${formatGb(disk_gb)}`,
  },
  {
    id: 'compose',
    header: 'Compose hash',
    width: 150,
    priority: 3,
    cell: ({ compose_hash }) => <CopyId id={compose_hash} what="compose hash" most={12} />,
  },
];

/** What the database has on a teepod, beside what its host says now. */
export function ManagedCvms({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useFleetQuery<AdminManagedCvms>(
    `/teepods/${id}/managed-cvms`,
    15_000,
  );
  const differing = (data?.cvms ?? []).filter(({ drift }) => drift.length > 0);
  return (
    <TeepodPage
      resource={resource}
      title="Managed CVMs"
      subtitle="CVMs as the database has them, beside what the host says now."
      action={<Repair teepod={id} count={differing.length} />}
    >
      <Silent answer={data} />
      <DataTable<AdminManagedCvm>
        id="admin-managed-cvms"
        label="CVMs"
        columns={columns}
        rows={error ? [] : data?.cvms}
        rowId={({ vm_uuid }) => vm_uuid}
        rowName={({ name }) => name}
        rowHref={({ vm_uuid }) => adminHref.show('cvms', vm_uuid)}
        refreshing={isFetching && data !== undefined}
        problem={error ? problemOf(error, 'The CVMs could not be listed', () => void refetch()) : null}
        empty={<EmptyState title="No CVMs">The database has none on this teepod.</EmptyState>}
      />
    </TeepodPage>
  );
}
