import { sql, type RawBuilder } from 'kysely';
import { withTransaction, type Db, type Tx } from '../db/core/client';
import { ROLLUPS, SAMPLES, stepOf, type MetricLevel } from '../domain/metrics/metricLevels';
import { runningIds } from './scenario';

/**
 * Usage of the running CVMs: full rings of samples and rollups up to now, as the collector and the rollup job
 * would have left them. Curves depend only on CVM and time.
 */

const DAY = 86_400;

/** Values at `t`, in seconds since 1970. `c.phase` distinguishes CVMs. */
const CURVES: readonly (readonly [column: string, value: string])[] = [
  [
    'cpu',
    `greatest(0.5, 22 + 12 * sin(2 * pi() * t / ${DAY} + c.phase) + 6 * sin(t / 3571.0 + 3 * c.phase) + 3 * sin(t / 97.0))`,
  ],
  [
    'load',
    `greatest(0.01, c.vcpu * (0.25 + 0.14 * sin(2 * pi() * t / ${DAY} + c.phase) + 0.05 * sin(t / 911.0)))`,
  ],
  ['memory', `c.memory * (0.52 + 0.08 * sin(2 * pi() * t / ${DAY} + 2 * c.phase) + 0.02 * sin(t / 1511.0))`],
  ['swap', '0'],
  ['disk', `c.disk * (0.30 + 0.25 * ((t + c.phase * ${DAY}) % (${DAY} * 14)) / (${DAY} * 14))`],
  ['network_in', `30000 + 25000 * (1 + sin(2 * pi() * t / ${DAY} + c.phase)) + 9000 * sin(t / 61.0)^2`],
  ['network_out', `90000 + 80000 * (1 + sin(2 * pi() * t / ${DAY} + c.phase)) + 20000 * sin(t / 53.0)^2`],
  ['network_errors', '0'],
];

export async function fillMetrics(db: Db, now: Date): Promise<void> {
  await withTransaction(db, async (trx) => {
    await ring(trx, SAMPLES, now);
    for (const level of ROLLUPS) {
      await ring(trx, level, now);
      // The rollup job continues from here.
      await sql`update metric_progress set through = to_timestamp(${stepOf(now.getTime() / 1000, level.step)})
        where step = ${level.step}`.execute(trx);
    }
  });
}

async function ring(trx: Tx, level: MetricLevel, now: Date): Promise<void> {
  const { step, places } = level;
  const end = stepOf(now.getTime() / 1000, step);
  const fine = level === SAMPLES;
  const raw = (text: string) => sql.raw(text);
  const columns = CURVES.flatMap(([name]) => (fine ? [name] : [name, `${name}_min`, `${name}_max`]));
  const values = CURVES.flatMap(([, curve]) =>
    fine ? [curve] : [curve, `0.9 * (${curve})`, `1.1 * (${curve})`],
  );
  const into: RawBuilder<unknown> = fine
    ? sql`cvm_metric_samples (slot, cvm_id, at, ${raw(columns.join(', '))}, containers)`
    : sql`cvm_metric_rollups (step, samples, slot, cvm_id, at, ${raw(columns.join(', '))}, containers)`;
  await sql`
    insert into ${into}
    select ${fine ? sql`` : sql`${step}::int, ${step / SAMPLES.step}::int,`} (t / ${step}::bigint) % ${places}::int, c.id,
      to_timestamp(t), ${raw(values.join(', '))}, 1
    from generate_series(${end - step * places}::bigint, ${end - step}::bigint, ${step}::bigint) t
    cross join (
      select id, vcpu, memory_mb * 1048576.0 as memory, disk_gb * 1e9 as disk,
        (hashtext(public_id) & 1023) / 163.0 as phase
      from cvms where public_id = any(${runningIds()}::text[])
    ) c
    where to_timestamp(t) >= (select created_at from cvms where id = c.id)
    order by t, c.id`.execute(trx);
}
