import { recycledByTeepod } from '../cvms/recycledCapacity';
import { GPU_HOLDERS, GPU_STATE } from './adminGpus';
import { cvmSlots } from './cvmSlots';
import { sql } from 'kysely';
import type { SizedCvm } from '../../domain/hosts/drift';
import type { MaintenanceWindowRow } from './maintenanceWindowsTable';
import type { Db } from '../core/client';
import { LIVE_DRAIN } from '../../../console/lib/hosts/allowedActions';
import { isIn } from '../core/states';
import type { TextKey } from '../../../generated/api/types.gen';

export const findKmsById = (db: Db, id: number) =>
  db.selectFrom('kms').selectAll().where('id', '=', id).executeTakeFirst();

export interface ManagedCvm extends SizedCvm {
  id: number;
  name: string;
  team_name: string;
  team_slug: string;
  app_id: string;
}

const MAX_CVMS = 1000;

/** Returns the database's CVMs on a host, recycled ones too: their VMs are there. */
export async function managedCvms(
  db: Db,
  teepod_id: number,
): Promise<{ cvms: ManagedCvm[]; recycled: string[]; total: number }> {
  const { rows } = await sql<ManagedCvm & { recycled: boolean; total: number }>`
    select c.id, c.vm_uuid::text as vm_uuid, c.name, t.name as team_name, t.slug as team_slug, a.app_id, c.status, c.desired, c.host_vm_id,
      c.vcpu, c.memory_mb, c.disk_gb, c.os_image, r.compose_hash, c.deleted_at is not null as recycled,
      count(*) filter (where c.deleted_at is null) over ()::int as total
    from cvms c join teams t on t.id = c.team_id join apps a on a.id = c.app_id join revisions r on r.id = c.revision_id
    where c.teepod_id = ${teepod_id} and (c.deleted_at is null or c.purge_at is not null)
    order by c.deleted_at is not null, c.name, c.id limit ${MAX_CVMS}`.execute(db);
  const cvms = rows.filter(({ recycled }) => !recycled).map(({ recycled: _, total: __, ...cvm }) => cvm);
  return {
    cvms,
    recycled: rows.filter(({ recycled }) => recycled).map(({ vm_uuid }) => vm_uuid),
    total: rows[0]?.total ?? 0,
  };
}

export interface MapNode {
  id: number;
  name: string;
  region: string | null;
  state: string;
}

export interface MapTeepod {
  id: number;
  node_id: number;
  name: string;
  url: string;
  kind: string;
  state: string;
  reachable: boolean;
  last_error: string | null;
  warnings: string[];
  drift: number;
  drain_id: number | null;
  drain_state: string | null;
  drain_message: string | null;
  drain_message_keys: TextKey[] | null;
  host_cvms: number | null;
  host_vcpu: number | null;
  host_memory_mb: number | null;
  used_cvms: number;
  max_cvms: number;
  configured_cvms: number;
  used_vcpu: number;
  max_vcpu: number;
  used_memory_mb: number;
  max_memory_mb: number;
  used_disk_gb: number;
  max_disk_gb: number;
  recycled_cvms: number;
  recycled_disk_gb: number;
  gpus: number;
  used_gpus: number;
}

/**
 * Reads every node, every teepod with its current usage, and upcoming windows, one query each. Unlimited,
 * because the map's sums and counts cover the whole fleet.
 */
export async function fleetMap(
  db: Db,
): Promise<{ nodes: MapNode[]; teepods: MapTeepod[]; windows: MaintenanceWindowRow[] }> {
  const [nodes, teepods, windows] = await Promise.all([
    db.selectFrom('nodes').select(['id', 'name', 'region', 'state']).orderBy('name').execute(),
    sql<MapTeepod>`
      select t.id, t.node_id, t.name, t.url, t.kind, t.state, t.reachable, t.last_error, t.warnings, t.drift,
        d.id as drain_id, d.state as drain_state, d.message as drain_message,
        d.message_keys as drain_message_keys, t.host_cvms, t.host_vcpu, t.host_memory_mb,
        coalesce(u.cvms, 0) as used_cvms, ${cvmSlots} as max_cvms, t.max_cvms as configured_cvms,
        coalesce(u.vcpu, 0) as used_vcpu, t.max_vcpu,
        coalesce(u.memory_mb, 0) as used_memory_mb, t.max_memory_mb, coalesce(u.disk_gb, 0) as used_disk_gb, t.max_disk_gb,
        coalesce(bin.cvms, 0) as recycled_cvms, coalesce(bin.disk_gb, 0) as recycled_disk_gb,
        coalesce(g.gpus, 0) as gpus, coalesce(g.used, 0) as used_gpus
      from teepods t
      left join drains d on d.teepod_id = t.id and ${isIn('d.state', LIVE_DRAIN)}
      left join (
        select teepod_id, count(*)::int as cvms, sum(vcpu)::int as vcpu, sum(memory_mb)::int as memory_mb,
          sum(disk_gb)::int as disk_gb
        from reservations where expires_at is null or expires_at > now() group by teepod_id
      ) u on u.teepod_id = t.id
      left join (${recycledByTeepod}) bin on bin.teepod_id = t.id
      left join (
        select teepod_id, count(*)::int as gpus, count(reservation_id)::int as used from gpus group by teepod_id
      ) g on g.teepod_id = t.id
      order by t.name`.execute(db),
    db
      .selectFrom('maintenance_windows')
      .selectAll()
      .where('ended_at', 'is', null)
      .where('ends_at', '>', new Date())
      .orderBy('starts_at')
      .execute(),
  ]);
  return { nodes, teepods: teepods.rows, windows };
}

export interface MapGpu {
  id: number;
  teepod_id: number;
  slot: string;
  state: string;
}

/** Returns the GPUs of the teepods on one page of the map. */
export async function mapGpus(db: Db, teepod_ids: readonly number[]): Promise<MapGpu[]> {
  if (teepod_ids.length === 0) return [];
  const { rows } = await sql<MapGpu>`
    select g.id, g.teepod_id, g.slot, ${GPU_STATE} as state from gpus g ${GPU_HOLDERS}
    where g.teepod_id = any(${[...teepod_ids]}::bigint[]) order by g.teepod_id, g.slot`.execute(db);
  return rows;
}
