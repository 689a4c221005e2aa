import { useParams } from 'react-admin';
import type { AdminHostedCvms, AdminHostedVm } from '../../../generated/api/types.gen';
import { CopyId } from '../../../console/ui/data/CopyId';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { TextLink } from '../../../console/ui/link';
import { formatGb, formatMb } from '../../../console/lib/sizes';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { useFleetQuery } from './api';
import { DriftChips } from './drift';
import { Repair } from './Repair';
import { Silent } from './Silent';
import { TeepodPage } from './TeepodPage';

const columns: Column<AdminHostedVm>[] = [
  { id: 'name', header: 'VM', cell: ({ name }) => name.replace(/\.[0-9a-f]{32}$/, '') },
  {
    id: 'cvm',
    header: 'CVM',
    cell: ({ cvm }) =>
      cvm ? (
        <TextLink href={adminHref.show('cvms', cvm.vm_uuid)}>{`${cvm.team_slug}/${cvm.name}`}</TextLink>
      ) : (
        '—'
      ),
  },
  { id: 'drift', header: 'Differs', width: 150, cell: ({ drift }) => <DriftChips drift={drift} /> },
  {
    id: 'status',
    header: 'On the host',
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
  { id: 'image', header: 'OS image', priority: 3, cell: ({ os_image }) => os_image ?? '—' },
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
    header: 'Host’s id',
    width: 150,
    priority: 3,
    defaultHidden: true,
    cell: ({ host_vm_id }) => <CopyId id={host_vm_id} what="id" most={12} />,
  },
];

/** What the host itself lists, asked now: also what this server knows nothing of. */
export function HostedCvms({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data, error, isFetching, refetch } = useFleetQuery<AdminHostedCvms>(
    `/teepods/${id}/hosted-cvms`,
    15_000,
  );
  const differing = (data?.vms ?? []).filter(({ drift }) => drift.length > 0 && !drift.includes('foreign'));
  return (
    <TeepodPage
      resource={resource}
      title="Hosted CVMs"
      subtitle="VMs as the host itself lists them, asked now."
      action={<Repair teepod={id} count={differing.length} />}
    >
      <Silent answer={data} />
      <DataTable<AdminHostedVm>
        id="admin-hosted-cvms"
        label="VMs"
        columns={columns}
        rows={error ? [] : data?.vms}
        rowId={({ host_vm_id }) => host_vm_id}
        rowName={({ name }) => name}
        refreshing={isFetching && data !== undefined}
        problem={error ? problemOf(error, 'The host was not asked', () => void refetch()) : null}
        empty={
          data?.answered === false ? (
            <EmptyState title="Not known">What the host runs is seen when it answers again.</EmptyState>
          ) : (
            <EmptyState title="No VMs">The host runs and keeps none.</EmptyState>
          )
        }
      />
    </TeepodPage>
  );
}
