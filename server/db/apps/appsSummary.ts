import { sql } from 'kysely';
import { DISK_GB_HOUR } from '../../../console/lib/billing/spend';
import type { StatusSum } from '../../domain/apps/appsSummary';
import type { Db } from '../core/client';
import { currentMicros } from '../cvms/currentMicros';

/** Counts and sums all CVMs of a team, in one query. The most frequent status comes first. */
export async function cvmsByStatus(db: Db, team_id: number): Promise<StatusSum[]> {
  const { rows } = await sql<StatusSum>`
    select status, is_recycled, count(*) as cvms, sum(micros)::bigint as micros, sum(full_micros)::bigint as full_micros
    from (
      select cvms.status, false as is_recycled, ${currentMicros()} as micros,
        ${currentMicros({ covered: false })} as full_micros
      from cvms where cvms.team_id = ${team_id} and cvms.deleted_at is null
      union all
      select cvms.status, true, cvms.disk_gb * ${sql.lit(DISK_GB_HOUR)}, cvms.disk_gb * ${sql.lit(DISK_GB_HOUR)}
      from cvms where cvms.team_id = ${team_id} and cvms.purge_at is not null
    ) each_cvm
    group by status, is_recycled order by cvms desc, status limit 100`.execute(db);
  return rows;
}
