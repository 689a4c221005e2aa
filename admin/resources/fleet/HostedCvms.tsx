import type { AdminHostedCvms, AdminHostedVm } from '../../../generated/api/types.gen';
import { CopyId } from '../../../console/ui/data/CopyId';
import type { Column } from '../../../console/ui/data/DataTable';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { formatGb, formatMb } from '../../../console/lib/cvms/sizes';
import type { ResourceDescription } from '../../schema/types';
import { Comparison } from './Comparison';
import { CvmOfTeam } from './CvmOfTeam';
import { DriftChips } from './drift';
import { DuplicateVms } from './DuplicateVms';

const columns: Column<AdminHostedVm>[] = [
  {
    id: 'name',
    header: 'VM',
    cell: ({ name }) => name.replace(/\.[0-9a-f]{32}$/, ''),
  },
  {
    id: 'cvm',
    header: 'CVM',
    cell: ({ cvm }) => (cvm ? <CvmOfTeam cvm={cvm} /> : '—'),
  },
  {
    id: 'drift',
    header: 'Drift',
    width: 150,
    cell: ({ drift }) => <DriftChips drift={drift} />,
  },
  {
    id: 'status',
    header: 'On host',
    width: 120,
    cell: ({ status }) => <StatusChip quiet status={status} />,
  },
  {
    id: 'size',
    header: 'Size',
    width: 190,
    priority: 2,
    cell: ({ vcpu, memory_mb, disk_gb }) =>
      vcpu === null ? '—' : `${vcpu} vCPU · ${formatMb(memory_mb ?? 0)} · ${formatGb(disk_gb ?? 0)}`,
  },
  {
    id: 'image',
    header: 'OS image',
    priority: 3,
    cell: ({ os_image }) => os_image ?? '—',
  },
  {
    id: 'compose',
    header: 'Compose hash',
    width: 150,
    priority: 3,
    cell: ({ compose_hash }) =>
      compose_hash === null ? '—' : <CopyId id={compose_hash} what="compose hash" most={12} />,
  },
  {
    id: 'id',
    header: 'Host VM ID',
    width: 150,
    priority: 3,
    defaultHidden: true,
    cell: ({ host_vm_id }) => <CopyId id={host_vm_id} what="ID" most={12} />,
  },
];

/** VMs reported by the host, including ones not managed here. */
export const HostedCvms = ({ resource }: { resource: ResourceDescription }) => (
  <Comparison<AdminHostedCvms, AdminHostedVm>
    resource={resource}
    title="Hosted CVMs"
    subtitle="VMs currently reported by the host."
    path="hosted-cvms"
    noun={['VM', 'VMs']}
    columns={columns}
    rowsOf={({ vms }) => vms}
    rowId={({ host_vm_id }) => host_vm_id}
    rowName={({ name }) => name}
    differs={({ drift }) => drift.length > 0 && !drift.includes('foreign')}
    below={({ duplicates }) => <DuplicateVms duplicates={duplicates} />}
    empty={(answer) =>
      answer?.answered === false ? (
        <EmptyState picture="hosts" title="Unknown">
          VMs appear when the host is reachable again.
        </EmptyState>
      ) : (
        <EmptyState picture="cvms" title="No VMs">
          The host has no VMs.
        </EmptyState>
      )
    }
  />
);
