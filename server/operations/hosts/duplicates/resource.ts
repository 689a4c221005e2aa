import type { AdminDuplicateVmRow } from '../../../../generated/api/types.gen';
import { adminDuplicateVms, type DuplicateVmListed } from '../../../db/hosts/duplicateVms';
import { iso } from '../../../domain/core/references';
import type { AdminResource } from '../../core/admin/resource';

export const duplicateVmOut = (row: DuplicateVmListed): AdminDuplicateVmRow => ({
  id: row.id,
  host_vm_id: row.host_vm_id,
  teepod_id: row.teepod_id,
  cvm_id: row.cvm_id,
  cvm_status: row.cvm_status,
  team_id: row.team_id,
  status: row.status,
  uptime: row.uptime,
  vcpu: row.vcpu,
  memory_mb: row.memory_mb,
  disk_gb: row.disk_gb,
  given_up_at: iso(row.given_up_at),
  first_event_at: iso(row.first_event_at),
  first_seen_at: row.first_seen_at.toISOString(),
  last_seen_at: row.last_seen_at.toISOString(),
});

export const duplicateVms: AdminResource<DuplicateVmListed, AdminDuplicateVmRow> = {
  name: 'duplicate-vms',
  singular: 'duplicate VM',
  source: adminDuplicateVms,
  out: duplicateVmOut,
  version: (row) => row.last_seen_at,
};
