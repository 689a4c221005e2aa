import { sql } from 'kysely';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import type { RecycledCvm } from '../../domain/hosts/recycledCapacity';
import type { Db, Tx } from '../core/client';
import { isIn } from '../core/states';

/** Deleted CVMs read at a time; the oldest are the first to go. */
const MAX_CVMS = 5000;

/**
 * Returns the deleted CVMs that still hold capacity on these hosts, oldest first. Excluded from purging are
 * those deleted within `min_age_hours`, protected or deleted because of a debt, those of a team in debt, and
 * those with an operation in progress, such as a restoration.
 */
export async function recycledCvmsOn(
  db: Db | Tx,
  {
    teepod_ids,
    team_id,
    min_age_hours,
  }: { teepod_ids: readonly number[]; team_id: number; min_age_hours: number },
): Promise<RecycledCvm[]> {
  if (teepod_ids.length === 0) return [];
  const { rows } = await sql<RecycledCvm>`
    select c.id, r.teepod_id, r.disk_gb, c.team_id = ${team_id} as is_own, c.deleted_at,
      c.status = 'stopped' and not c.protected and o.id is null
        and c.deleted_at <= now() - make_interval(hours => ${min_age_hours})
        and not exists (select 1 from debts d where d.team_id = c.team_id and d.settled_at is null)
        and not exists (select 1 from events e where e.cvm_id = c.id and e.kind = 'cvm.debt_delete') as is_purgeable,
      coalesce(o.type = 'purge', false) as is_purging
    from cvms c
    join reservations r on r.cvm_id = c.id and r.teepod_id = c.teepod_id
    left join operations o on o.cvm_id = c.id and ${isIn('o.state', LIVE_OPERATION)}
    where c.purge_at is not null and c.deleted_at is not null and c.teepod_id = any(${[...teepod_ids]}::bigint[])
    order by c.deleted_at, c.id limit ${MAX_CVMS}`.execute(db);
  return rows;
}

/** Capacity held by deleted CVMs, by teepod: part of its usage. */
export const recycledByTeepod = sql`
  select r.teepod_id, count(*)::int as cvms, sum(r.disk_gb)::int as disk_gb
  from reservations r join cvms c on c.id = r.cvm_id
  where c.purge_at is not null group by r.teepod_id`;
