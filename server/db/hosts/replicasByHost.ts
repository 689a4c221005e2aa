import { sql } from 'kysely';
import type { Replicas } from '../../domain/hosts/scheduler';
import type { Db, Tx } from '../core/client';

/** Returns how many CVMs of the app each teepod has or is getting. One being moved counts on both. */
export async function replicasByHost(db: Db | Tx, app_id: number): Promise<Replicas[]> {
  const { rows } = await sql<Replicas>`
    select t.id as teepod_id, t.node_id, count(*)::int as count from (
      select teepod_id from cvms where app_id = ${app_id} and deleted_at is null
      union all
      select r.teepod_id from cvms c join reservations r on r.cvm_id = c.id and r.moving
      where c.app_id = ${app_id} and c.deleted_at is null and r.teepod_id <> c.teepod_id
    ) replicas join teepods t on t.id = replicas.teepod_id group by t.id`.execute(db);
  return rows;
}

/** Until the transaction ends, no other move of this app chooses a host. */
export async function lockReplicas(trx: Tx, app_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('app_replicas'), ${app_id}::int)`.execute(trx);
}
