import { sql } from 'kysely';
import type { StateChange } from '../../domain/billing/metering';
import type { Db } from '../core/client';

export type CvmStateChange = StateChange & { cvm_id: number };

/**
 * Returns these CVMs' state changes between `from` and `to`, in the order they were written, starting with
 * the last settled state before `from`, which determines the ones after. At most `limit`, so request one more
 * than you can handle.
 */
export async function stateChanges(
  db: Db,
  cvm_ids: readonly number[],
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<CvmStateChange[]> {
  if (cvm_ids.length === 0) return [];
  const { rows } = await sql<CvmStateChange>`
    select c.cvm_id, c.status, c.vcpu, c.memory_mb, c.disk_gb, c.hourly_rate_micros, c.gpu_rate_micros,
      c.disk_rate_micros, c.at, c.order_id, c.covers, c.covered_until
    from unnest(${[...cvm_ids]}::bigint[]) as asked (cvm_id)
    cross join lateral (
      select coalesce(max(p.id), 0) as id from cvm_state_changes p
      where p.cvm_id = asked.cvm_id and p.at <= ${from} and p.status in ('running', 'stopped', 'error', 'lost', 'creating', 'deleted')
    ) first
    join cvm_state_changes c on c.cvm_id = asked.cvm_id and c.id >= first.id and c.at < ${to}
    order by c.cvm_id, c.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Returns which of these CVMs ran before `at`: a CVM that never ran costs nothing; one that did pays for its
 * disk.
 */
export async function ranBefore(db: Db, cvm_ids: readonly number[], at: Date): Promise<Set<number>> {
  if (cvm_ids.length === 0) return new Set();
  const { rows } = await sql<{ cvm_id: number }>`
    select asked.cvm_id from unnest(${[...cvm_ids]}::bigint[]) as asked (cvm_id)
    where exists (
      select from cvm_state_changes c where c.cvm_id = asked.cvm_id and c.status = 'running' and c.at < ${at}
    )`.execute(db);
  return new Set(rows.map(({ cvm_id }) => cvm_id));
}

export interface MeteredCvm {
  id: number;
  public_id: string;
  name: string;
  vm_uuid: string;
  deleted_at: Date | null;
}

/** Returns an app's CVMs that existed at or after `from`, deleted ones too, newest first. */
export async function cvmsSince(
  db: Db,
  scope: { team_id: number; app_id: number },
  from: Date,
  limit: number,
): Promise<MeteredCvm[]> {
  return (
    db
      .selectFrom('cvms')
      .select(['id', 'public_id', 'name', 'vm_uuid', 'deleted_at'])
      .where('team_id', '=', scope.team_id)
      .where('app_id', '=', scope.app_id)
      // A CVM in the recycle bin still pays for its disk.
      .where((eb) => eb.or([eb('status', '<>', 'deleted'), eb('deleted_at', '>', from)]))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  );
}
