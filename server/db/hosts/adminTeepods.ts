import { sql } from 'kysely';
import type { AdminTeepod } from '../../../generated/api/types.gen';
import { LIVE_DRAIN } from '../../../console/lib/hosts/allowedActions';
import { isIn } from '../core/states';
import { recycledByTeepod } from '../cvms/recycledCapacity';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Db, Tx } from '../core/client';
import type { NodeRow } from './nodesTable';
import { NODE_STATE } from './takesCvms';
import type { TeepodRow } from './teepodsTable';

export interface AdminTeepodRow extends TeepodRow {
  has_credential: boolean;
  used_cvms: number;
  used_vcpu: number;
  used_memory_mb: number;
  used_disk_gb: number;
  recycled_cvms: number;
  recycled_disk_gb: number;
  gpu_model: string | null;
  gpu_count: number;
  used_gpus: number;
  node_state: NodeRow['state'];
  /** The drain in progress. */
  drain_id: number | null;
  os_images: string[];
}

export const adminTeepods: AdminListSource<AdminTeepodRow> = {
  fields: {
    id: 'integer',
    kind: 'text',
    node_id: 'integer',
    name: 'text',
    url: 'text',
    credential_kind: 'text',
    tee: 'text',
    state: 'text',
    node_state: 'text',
    drain_id: 'integer',
    gateway_base_domain: 'text',
    kms_id: 'integer',
    max_cvms: 'integer',
    max_vcpu: 'integer',
    max_memory_mb: 'integer',
    max_disk_gb: 'integer',
    listed: 'boolean',
    all_teams: 'boolean',
    has_credential: 'boolean',
    reachable: 'boolean',
    reachable_since: 'time',
    last_seen_at: 'time',
    last_error: 'text',
    version: 'text',
    engine: 'text',
    used_cvms: 'integer',
    used_vcpu: 'integer',
    used_memory_mb: 'integer',
    used_disk_gb: 'integer',
    recycled_cvms: 'integer',
    recycled_disk_gb: 'integer',
    host_cvms: 'integer',
    host_vcpu: 'integer',
    host_memory_mb: 'integer',
    drift: 'integer',
    gpu_model: 'text',
    gpu_count: 'integer',
    used_gpus: 'integer',
    port_mapping: 'boolean',
    attach_all_gpus: 'boolean',
    os_images: 'none',
    warnings: 'none',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminTeepod, AdminFieldKind>,
  related: {
    cvm_team_id: (teams) =>
      sql<boolean>`exists (select from cvms c where c.teepod_id = r.id and c.team_id in (${teams}) and c.deleted_at is null)`,
  },
  searched: ['name', 'url', 'gateway_base_domain', 'version', 'last_error', 'gpu_model'],
  // Held capacity counts as used: nobody else can have an open provision's reservation.
  select: sql<AdminTeepodRow>`
    select t.*, t.sealed_credential is not null as has_credential,
           coalesce(u.cvms, 0) as used_cvms, coalesce(u.vcpu, 0) as used_vcpu,
           coalesce(u.memory_mb, 0) as used_memory_mb, coalesce(u.disk_gb, 0) as used_disk_gb,
           coalesce(bin.cvms, 0) as recycled_cvms, coalesce(bin.disk_gb, 0) as recycled_disk_gb,
           g.gpu_model, coalesce(g.gpu_count, 0) as gpu_count, coalesce(g.used_gpus, 0) as used_gpus,
           ${NODE_STATE} as node_state,
           (select max(d.id)::int from drains d where d.teepod_id = t.id and ${isIn('d.state', LIVE_DRAIN)}) as drain_id,
           array(select i.name from teepod_os_images ti join os_images i on i.id = ti.os_image_id
                 where ti.teepod_id = t.id order by i.name limit 500) as os_images
    from teepods t
    join nodes n on n.id = t.node_id
    left join (
      select teepod_id, count(*)::int as cvms, sum(vcpu)::int as vcpu, sum(memory_mb)::int as memory_mb,
             sum(disk_gb)::int as disk_gb
      from reservations where expires_at is null or expires_at > now() group by teepod_id
    ) u on u.teepod_id = t.id
    left join (${recycledByTeepod}) bin on bin.teepod_id = t.id
    left join (
      select teepod_id, count(*)::int as gpu_count,
        count(*) filter (where reservation_id is not null or reserved_team_id is not null or used_elsewhere)::int
          as used_gpus,
        mode() within group (order by nullif(description, '')) as gpu_model
      from gpus group by teepod_id
    ) g on g.teepod_id = t.id`,
};

export const findTeepod = (db: Db, id: number) =>
  db.selectFrom('teepods').selectAll().where('id', '=', id).executeTakeFirst();

export const lockTeepod = (trx: Tx, id: number) =>
  trx.selectFrom('teepods').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export async function exists(db: Db, table: 'nodes' | 'kms', id: number): Promise<boolean> {
  const row = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export interface TeepodUse {
  /** Live CVMs: some names, and the total. */
  cvms: string[];
  cvm_total: number;
  /** CVMs in the recycle bin, whose disks are on it. */
  recycled: number;
  /** Deleted CVMs whose history names this host. */
  past: number;
  /** Provisions that may still be committed, or were. */
  provisions: number;
}

/** Counts what keeps a teepod from being removed. Call with its row locked: `reserve` takes the same lock. */
export async function teepodUse(trx: Tx, teepod_id: number): Promise<TeepodUse> {
  const { rows } = await sql<TeepodUse>`select
      array(select name from cvms where teepod_id = ${teepod_id} and deleted_at is null order by name limit 5) as cvms,
      (select count(*)::int from cvms where teepod_id = ${teepod_id} and deleted_at is null) as cvm_total,
      (select count(*)::int from cvms where teepod_id = ${teepod_id} and deleted_at is not null) as past,
      (select count(*)::int from cvms where teepod_id = ${teepod_id} and deleted_at is not null and purge_at is not null) as recycled,
      (select count(*)::int from provisions where teepod_id = ${teepod_id}) as provisions`.execute(trx);
  return rows[0] ?? { cvms: [], cvm_total: 0, past: 0, recycled: 0, provisions: 0 };
}

/**
 * Deletes uncommitted provisions that no longer hold anything on the host, although they could still be committed if
 * it had room. Skips those being committed now, which wait for the host's lock.
 */
export async function dropExpiredProvisions(trx: Tx, teepod_id: number): Promise<void> {
  await sql`
    delete from reservations where teepod_id = ${teepod_id} and provision_id is not null and expires_at <= now()`.execute(
    trx,
  );
  await sql`
    delete from provisions where id in (
      select p.id from provisions p where p.teepod_id = ${teepod_id} and p.committed_at is null
        and (p.expires_at <= now() or not exists (select from reservations r where r.provision_id = p.id))
      for update skip locked)`.execute(trx);
}
