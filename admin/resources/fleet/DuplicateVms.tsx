import { useState } from 'react';
import { useParams } from 'react-admin';
import type { AdminDuplicates, AdminRepair } from '../../../generated/api/types.gen';
import { ActionButton } from '../../../console/ui/controls/ActionButton';
import { ConfirmDialog } from '../../../console/ui/feedback/ConfirmDialog';
import { formatGb, formatMb } from '../../../console/lib/cvms/sizes';
import { CopyId } from '../../../console/ui/data/CopyId';
import { DataTable, type Column } from '../../../console/ui/data/DataTable';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { ToneChip } from '../../../console/ui/feedback/ToneChip';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import { usePermissionRefusal } from '../../session';
import { useFleetAction } from './api';
import { CvmOfTeam } from './CvmOfTeam';

type Row = AdminDuplicates['vms'][number] & Pick<AdminDuplicates, 'cvm' | 'used_vm_id' | 'used_teepod'>;

const columns: Column<Row>[] = [
  {
    id: 'cvm',
    header: 'CVM',
    cell: ({ cvm }) => <CvmOfTeam cvm={cvm} />,
  },
  {
    id: 'id',
    header: 'Host VM ID',
    width: 140,
    cell: ({ host_vm_id }) => <CopyId id={host_vm_id} what="ID" most={12} />,
  },
  { id: 'use', header: 'Use', width: 120, cell: (row) => <Use row={row} /> },
  {
    id: 'status',
    header: 'On host',
    width: 120,
    cell: ({ status }) => <StatusChip quiet status={status} />,
  },
  {
    id: 'uptime',
    header: 'Uptime',
    width: 100,
    priority: 2,
    cell: ({ status, uptime, exited_at }) =>
      status === 'running'
        ? uptime
        : exited_at === null || exited_at === 'never'
          ? '—'
          : `Exited ${exited_at}`,
  },
  {
    id: 'since',
    header: 'First event',
    width: 110,
    priority: 3,
    cell: ({ first_event_at }) => (first_event_at === null ? '—' : <RelativeTime at={first_event_at} />),
  },
  {
    id: 'size',
    header: 'Size',
    width: 170,
    priority: 3,
    cell: ({ vcpu, memory_mb, disk_gb }) =>
      vcpu === null ? '—' : `${vcpu} vCPU · ${formatMb(memory_mb ?? 0)} · ${formatGb(disk_gb ?? 0)}`,
  },
];

/** Only a CVM whose own VM is missing can switch to another. */
const choice = (refused: string | undefined, choose: (row: Row) => void): Column<Row> => ({
  id: 'choose',
  header: 'Action',
  width: 90,
  cell: (row) =>
    row.cvm.status === 'lost' ? (
      <ActionButton size="small" reason={refused} onClick={() => choose(row)}>
        Use…
      </ActionButton>
    ) : null,
});

function UseVmDialog({ teepod, row, onClose }: { teepod: string; row: Row; onClose: () => void }) {
  const { mutate, error, isPending } = useFleetAction<AdminRepair>(`/teepods/${teepod}`);
  const { cvm, host_vm_id } = row;
  return (
    <ConfirmDialog
      open
      danger
      title={`Use this VM for ${cvm.name}?`}
      typedName={cvm.name}
      confirmLabel="Use this VM"
      effects={[
        `${cvm.name} (team ${cvm.team_name}) switches to VM ${host_vm_id} and its disk.`,
        'If the host lists the previous VM again, that VM is kept, but the CVM doesn’t switch back to it.',
      ]}
      pending={isPending}
      problem={error ? problemOf(error, 'Couldn’t use the VM') : null}
      onConfirm={() =>
        mutate(
          { action: '/repair', body: { vm_uuids: [cvm.vm_uuid], host_vm_ids: [host_vm_id] } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    />
  );
}

function Use({ row: { is_used, given_up_at, used_vm_id, used_teepod, teepod } }: { row: Row }) {
  if (is_used)
    return (
      <ToneChip quiet tone="ok" glyph="check">
        In use
      </ToneChip>
    );
  const elsewhere = used_vm_id !== null && used_teepod !== teepod ? ` The CVM is on ${used_teepod}.` : '';
  return (
    <ToneChip
      quiet
      tone="attention"
      glyph="warning"
      title={`${given_up_at === null ? 'Another VM with the CVM’s name.' : 'Given up while the CVM was lost.'}${elsewhere}`}
    >
      {given_up_at === null ? 'Not in use' : 'Given up'}
    </ToneChip>
  );
}

/** CVMs with unused duplicate VMs, and the resources each of those holds. Renders nothing if there are none. */
export function DuplicateVms({ duplicates }: { duplicates: readonly AdminDuplicates[] }) {
  const { id = '' } = useParams();
  const refused = usePermissionRefusal()('admin.infra.write');
  const [chosen, setChosen] = useState<Row | null>(null);
  if (duplicates.length === 0) return null;
  const rows: Row[] = duplicates.flatMap(({ vms, ...of }) => vms.map((vm) => ({ ...vm, ...of })));
  return (
    <Panel
      title="Duplicate VMs"
      subtitle="VMs of the same CVM. They are never removed automatically, because any of them may hold the data. A CVM can switch to another VM only while it is lost."
    >
      <DataTable<Row>
        id="admin-duplicate-vms"
        label="Duplicate VMs"
        noun={['VM', 'VMs']}
        columns={[...columns, choice(refused, setChosen)]}
        rows={rows}
        rowId={({ host_vm_id }) => host_vm_id}
        rowName={({ cvm, host_vm_id }) => `${cvm.name}, VM ${host_vm_id}`}
        empty={null}
      />
      {chosen && <UseVmDialog teepod={id} row={chosen} onClose={() => setChosen(null)} />}
    </Panel>
  );
}
