import { sql } from 'kysely';
import type { StateChange } from '../domain/metering';
import type { Db } from './client';

export type CvmStateChange = StateChange & { cvm_id: number };

/**
 * The changes of state that say what these CVMs were from `from` until `to`, in the order they were written: beginning
 * with the last settled state before, from which what follows can be understood. At most `limit`, so ask for one more
 * than is bearable.
 */
export async function stateChanges(
  db: Db,
  cvm_ids: readonly number[],
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<CvmStateChange[]> {
  if (cvm_ids.length === 0) return [];
  const { rows } = await sql<CvmStateChange>`
    select c.cvm_id, c.status, c.vcpu, c.memory_mb, c.disk_gb, c.hourly_rate_micros, c.at
    from unnest(${[...cvm_ids]}::bigint[]) as asked (cvm_id)
    cross join lateral (
      select coalesce(max(p.id), 0) as id from cvm_state_changes p
      where p.cvm_id = asked.cvm_id and p.at <= ${from} and p.status in ('running', 'stopped', 'error', 'creating', 'deleted')
    ) first
    join cvm_state_changes c on c.cvm_id = asked.cvm_id and c.id >= first.id and c.at < ${to}
    order by c.cvm_id, c.id limit ${limit}`.execute(db);
  return rows;
}

/** Which of these CVMs ran before `at`: what never ran costs nothing, what did pays for its disk. */
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

/** The CVMs of an app that existed at or after `from`, deleted ones too, newest first. */
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
      // One in the recycle bin is kept, and its disk paid for.
      .where((eb) => eb.or([eb('status', '<>', 'deleted'), eb('deleted_at', '>', from)]))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  );
}
