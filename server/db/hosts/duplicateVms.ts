import { sql, type Generated, type GeneratedAlways, type Selectable } from 'kysely';
import type { AdminDuplicateVmRow } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db } from '../core/client';

/** VMs listed by hosts although the CVM they are named after uses another (migration 0058_duplicate_vms). */
export interface DuplicateVmsTable {
  id: GeneratedAlways<number>;
  teepod_id: number;
  cvm_id: number;
  host_vm_id: string;
  /** As the host reports it, like `uptime`. */
  status: string;
  uptime: string;
  /** Null if the host doesn't report its configuration. */
  vcpu: number | null;
  memory_mb: number | null;
  disk_gb: number | null;
  /** When the CVM gave it up. */
  given_up_at: Date | null;
  first_event_at: Date | null;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
}

type DuplicateVm = Selectable<DuplicateVmsTable>;

export interface DuplicateVmListed extends Omit<DuplicateVm, 'cvm_id'> {
  cvm_id: string;
  cvm_status: string;
  team_id: number;
}

export const adminDuplicateVms: AdminListSource<DuplicateVmListed> = {
  fields: {
    id: 'integer',
    host_vm_id: 'text',
    teepod_id: 'integer',
    cvm_id: 'uuid',
    cvm_status: 'text',
    team_id: 'integer',
    status: 'text',
    uptime: 'text',
    vcpu: 'integer',
    memory_mb: 'integer',
    disk_gb: 'integer',
    given_up_at: 'time',
    first_event_at: 'time',
    first_seen_at: 'time',
    last_seen_at: 'time',
  } satisfies Record<keyof AdminDuplicateVmRow, AdminFieldKind>,
  searched: ['host_vm_id'],
  select: sql<DuplicateVmListed>`
    select d.id, d.host_vm_id, d.teepod_id, c.vm_uuid as cvm_id, c.status as cvm_status, c.team_id, d.status, d.uptime,
      d.vcpu, d.memory_mb, d.disk_gb, d.given_up_at, d.first_event_at, d.first_seen_at, d.last_seen_at
    from duplicate_vms d join cvms c on c.id = d.cvm_id`,
};

/**
 * Removes a host's duplicates that it no longer lists, or that their CVMs now use. `listed`: IDs of VMs no CVM
 * uses.
 */
export const forgetDuplicates = (db: Db, teepod_id: number, listed: readonly string[]) =>
  sql`delete from duplicate_vms where teepod_id = ${teepod_id} and host_vm_id <> all(${[...listed]}::text[])`.execute(
    db,
  );

/** Returns which of these are stored duplicates with a known size. `listed`: the host's VM IDs. */
export async function sizedDuplicates(
  db: Db,
  teepod_id: number,
  listed: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('duplicate_vms')
    .select('host_vm_id')
    .where('teepod_id', '=', teepod_id)
    .where('host_vm_id', '=', sql<string>`any(${[...listed]}::text[])`)
    .where('disk_gb', 'is not', null)
    .execute();
  return new Set(rows.map(({ host_vm_id }) => host_vm_id));
}

type Seen = Omit<DuplicateVm, 'id' | 'first_seen_at' | 'last_seen_at' | 'cvm_id'> & { vm_uuid: string };

/** Stores a duplicate as currently listed by its host; a null size keeps the known one. */
export const storeDuplicate = (db: Db, seen: Seen) =>
  sql`
    insert into duplicate_vms (teepod_id, cvm_id, host_vm_id, status, uptime, vcpu, memory_mb, disk_gb, given_up_at, first_event_at)
    select ${seen.teepod_id}, c.id, ${seen.host_vm_id}, ${seen.status}, ${seen.uptime}, ${seen.vcpu}::int,
      ${seen.memory_mb}::int, ${seen.disk_gb}::int, ${seen.given_up_at}::timestamptz, ${seen.first_event_at}::timestamptz
    from cvms c where c.vm_uuid = ${seen.vm_uuid}::uuid
    on conflict (teepod_id, host_vm_id) do update set cvm_id = excluded.cvm_id, status = excluded.status,
      uptime = excluded.uptime, vcpu = coalesce(excluded.vcpu, duplicate_vms.vcpu),
      memory_mb = coalesce(excluded.memory_mb, duplicate_vms.memory_mb),
      disk_gb = coalesce(excluded.disk_gb, duplicate_vms.disk_gb), given_up_at = excluded.given_up_at,
      first_event_at = coalesce(duplicate_vms.first_event_at, excluded.first_event_at), last_seen_at = now()`.execute(
    db,
  );
