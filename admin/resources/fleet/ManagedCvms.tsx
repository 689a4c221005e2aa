import type { AdminManagedCvm, AdminManagedCvms } from '../../../generated/api/types.gen';
import { CopyId } from '../../../console/ui/data/CopyId';
import type { Column } from '../../../console/ui/data/DataTable';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { formatGb, formatMb } from '../../../console/lib/cvms/sizes';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { Comparison } from './Comparison';
import { DriftChips } from './drift';

const columns: Column<AdminManagedCvm>[] = [
  { id: 'name', header: 'CVM', cell: ({ name }) => name },
  {
    id: 'team',
    header: 'Team',
    width: 150,
    priority: 2,
    cell: ({ team_name }) => team_name,
  },
  {
    id: 'drift',
    header: 'Drift',
    width: 150,
    cell: ({ drift }) => <DriftChips drift={drift} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: 120,
    cell: ({ status }) => <StatusChip quiet status={status} />,
  },
  {
    id: 'host_status',
    header: 'On host',
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

/** CVMs assigned to a teepod in the database, compared with its host. */
export const ManagedCvms = ({ resource }: { resource: ResourceDescription }) => (
  <Comparison<AdminManagedCvms, AdminManagedCvm>
    resource={resource}
    title="Managed CVMs"
    subtitle="CVMs in the database, compared with what the host reports."
    path="managed-cvms"
    noun={['CVM', 'CVMs']}
    columns={columns}
    rowsOf={({ cvms }) => cvms}
    rowId={({ vm_uuid }) => vm_uuid}
    rowName={({ name }) => name}
    rowHref={({ vm_uuid }) => adminHref.show('cvms', vm_uuid)}
    differs={({ drift }) => drift.length > 0}
    empty={() => (
      <EmptyState picture="cvms" title="No CVMs">
        No CVMs are assigned to this teepod.
      </EmptyState>
    )}
  />
);
