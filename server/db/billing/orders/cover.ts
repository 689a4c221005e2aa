import { sql, type RawBuilder } from 'kysely';
import type { Coverage } from '../../../domain/billing/metering';
import { coverageOf, uncoveredRate, type Rates } from '../../../domain/billing/pricing';
import type { Db, Tx } from '../../core/client';
import type { OrderRow } from './ordersTables';

/*
 * Decides which CVM an order covers: one of its type, preferably a running one. A trigger on `cvms` gives new
 * CVMs a free order; the rest happens here. Locked CVMs are skipped until the job's next run, because their
 * operations wait for the team's funds, which the callers hold.
 */

/**
 * Covers a CVM with a locked, active order that covers none. @param since start of the cover, if that is in the
 * past
 * @returns whether it covers one now
 */
export async function cover(
  trx: Tx,
  { id, team_id, instance_type, covers, ends_at }: OrderRow,
  since: Date | null,
): Promise<boolean> {
  const { rows } = await sql`
    update cvms set order_id = ${id}, covers = ${covers}, covered_until = ${ends_at}, cover_changed_at = ${since}
    where not exists (select from cvms c where c.order_id = ${id}) and id = (
      select id from cvms where team_id = ${team_id} and instance_type = ${instance_type} and order_id is null
        and deleted_at is null and status not in ('deleting', 'deleted')
      order by (status = 'running') desc, id limit 1 for update skip locked)
    returning id`.execute(trx);
  return rows.length > 0;
}

/** Frees the CVM of an ended order, from the order's end. */
export const uncover = (trx: Tx, { id, ends_at }: Pick<OrderRow, 'id' | 'ends_at'>) =>
  sql`update cvms set order_id = null, covers = null, covered_until = null, cover_changed_at = ${ends_at}
    where id in (select id from cvms where order_id = ${id} for update skip locked)`.execute(trx);

/** Extends the cover of a locked order's CVM to the order's new end. */
export const extendCover = (trx: Tx, { id, ends_at }: Pick<OrderRow, 'id' | 'ends_at'>) =>
  // Starts at the previous end, if that has passed.
  sql`update cvms set covered_until = ${ends_at}, cover_changed_at = covered_until
    where id in (select id from cvms where order_id = ${id} for update skip locked)`.execute(trx);

/** Moves a locked order's cover to another CVM if its own is stopped and another one runs. */
export async function moveCover(trx: Tx, order: OrderRow): Promise<void> {
  await sql`update cvms set order_id = null, covers = null, covered_until = null, cover_changed_at = null
    where id in (select c.id from cvms c where c.order_id = ${order.id} and ${STANDS} and ${RUNS_ELSEWHERE}
      for update skip locked)`.execute(trx);
  await cover(trx, order, null);
}

const STANDS = sql`c.status in ('stopped', 'error', 'lost')`;
const RUNS_ELSEWHERE = sql`exists (select from cvms d where d.team_id = c.team_id and d.instance_type = c.instance_type
  and d.order_id is null and d.deleted_at is null and d.status = 'running')`;

/** Returns active orders that could cover a CVM, or a better one, and closed ones that still cover one. */
export async function coversToMove(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ id: number; isClosed: boolean; isStale: boolean }[]> {
  const { rows } = await sql<{ id: number; isClosed: boolean; isStale: boolean }>`
    select o.id, false as "isClosed", false as "isStale" from orders o where o.state = 'active' and o.ends_at > ${now}
      and not exists (select from cvms c where c.order_id = o.id)
      and exists (select from cvms c where c.team_id = o.team_id and c.instance_type = o.instance_type
        and c.order_id is null and c.deleted_at is null and c.status not in ('deleting', 'deleted'))
    union all
    select o.id, false, false from orders o join cvms c on c.order_id = o.id
      where o.state = 'active' and o.ends_at > ${now} and ${STANDS} and ${RUNS_ELSEWHERE}
    union all
    select o.id, o.state <> 'active', true from cvms c join orders o on o.id = c.order_id
      where o.state <> 'active' or c.covered_until <> o.ends_at
    order by 1 limit ${limit}`.execute(db);
  return rows;
}

/**
 * Hourly cost left by an order, computed as by `uncoveredRate` and `stoppedRateToPay` in
 * domain/billing/pricing.ts: the same rule in SQL, for lists and sums over many CVMs.
 *
 * @param rates SQL of the cover, whether the CVM is charged for its size, its rate in that state, and the parts
 * of the rate while running
 */
export const uncoveredSql = (rates: {
  covers: RawBuilder<unknown>;
  is_size: RawBuilder<unknown>;
  full: RawBuilder<unknown>;
  gpu: RawBuilder<unknown>;
  disk: RawBuilder<unknown>;
}): RawBuilder<unknown> => sql`case ${rates.covers}
  when 'all' then 0
  when 'cvm' then least(${rates.disk}, ${rates.full})
  when 'gpus' then ${rates.full} - case when ${rates.is_size} then ${rates.gpu} else 0 end
  else ${rates.full} end`;

/**
 * Returns the cover of the order that a CVM would take with this type, as `cvm_cover` chooses it; null if none
 * is free.
 */
export async function freeCover(
  db: Db | Tx,
  team_id: number,
  instance_type: string | null,
): Promise<{ covers: Coverage; covered_until: Date } | null> {
  if (instance_type === null) return null;
  const { rows } = await sql<{ covers: Coverage; covered_until: Date }>`
    select o.covers, o.ends_at as covered_until from orders o
    where o.team_id = ${team_id} and o.instance_type = ${instance_type}
      and o.state = 'active' and o.ends_at > now() and not exists (select from cvms c where c.order_id = o.id)
    order by o.ends_at, o.id limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns the hourly cost of a new CVM of a type, reduced if one of the team's orders is free to cover it. */
export async function newCvmRate(
  db: Db | Tx,
  team_id: number,
  instance_type: string | null,
  rates: Rates,
): Promise<number> {
  const free = await freeCover(db, team_id, instance_type);
  return uncoveredRate(rates, free?.covers ?? null);
}

/** Returns an order's current cover of a CVM. */
export async function coverageNow(trx: Tx, cvm_id: number): Promise<Coverage | null> {
  const cvm = await trx
    .selectFrom('cvms')
    .select(['covers', 'covered_until'])
    .where('id', '=', cvm_id)
    .executeTakeFirstOrThrow();
  return coverageOf(cvm, new Date());
}
