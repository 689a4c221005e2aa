import { sql, type RawBuilder } from 'kysely';
import { DISK_GB_HOUR } from '../../../console/lib/billing/spend';
import { uncoveredSql } from '../billing/orders/cover';

/**
 * SQL for the current hourly cost of a row of `cvms`, in micro-dollars, as `currentMicros` in
 * console/lib/billing/spend.ts computes it for a loaded CVM.
 * @param options.covered false: the cost without the covering order
 */
export function currentMicros({ covered = true } = {}): RawBuilder<unknown> {
  const is_size = sql`(cvms.status not in ('stopped', 'error') and cvms.desired = 'running')`;
  const full = sql`(case when ${is_size} then cvms.hourly_rate_micros else cvms.disk_gb * ${sql.lit(DISK_GB_HOUR)} end)`;
  const uncovered = uncoveredSql({
    covers: sql`(case when cvms.covered_until > now() then cvms.covers end)`,
    is_size,
    full,
    gpu: sql`cvms.gpu_rate_micros`,
    disk: sql`cvms.disk_rate_micros`,
  });
  return sql`case
    when cvms.status in ('deleted', 'creating', 'deleting', 'lost') then 0
    when (select operations.type = 'deploy' and operations.state <> 'succeeded' from operations
      where operations.cvm_id = cvms.id order by operations.id desc limit 1) then 0
    else ${covered ? uncovered : full} end`;
}
