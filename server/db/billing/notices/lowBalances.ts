import { sql } from 'kysely';
import type { LowBalance } from '../../../domain/billing/lowBalance';
import type { Db, Tx } from '../../core/client';
import { waitsForPayerSql } from '../paymentsTables';

/** One row per team warned of a low balance that hasn't recovered since (migration 0303_payer_warnings). */
export interface LowBalancesTable {
  team_id: number;
  /** The threshold of the last warning. */
  hours: number;
  /** The lowest balance since then. */
  balance_micros: number;
  /** Since when the balance lasts longer again without money having arrived. */
  above_since: Date | null;
}

export interface WatchedBalance {
  team_id: number;
  public_id: string;
  /** Credit limit in micro-dollars. */
  cap_micros: number;
  /**
   * Amount charged to a saved card at most once an hour, in micro-dollars; null if the last attempt failed or
   * waits for the payer.
   */
  charge_micros: number | null;
  told: LowBalance | null;
}

/**
 * Upper bound, in micro-dollars, on a team's CVM usage from the last posted hour until this many hours from
 * now: at each CVM's highest rate since then, as if no order covered it. `runwayOfTeam` computes it exactly,
 * with several queries.
 */
const mostUsed = (now: Date, hours: number) => sql`(
  select sum(c.rate * (greatest(extract(epoch from ${now}::timestamptz - m.closed_until) / 3600, 0) + ${hours}::int))
  from usage_meters m cross join lateral (
    select max(s.hourly_rate_micros) as rate from cvm_state_changes s
    where s.cvm_id = m.cvm_id and s.id >= coalesce(m.change_id, 0)
  ) c where m.team_id = t.id and not m.ended)`;

/**
 * Returns teams whose balance may last less than `hours`, or that were warned, with IDs above `after`, ordered
 * by ID. Leaves out teams without hourly usage, and those whose prepaid money certainly lasts longer.
 */
export async function watchedBalances(
  db: Db,
  now: Date,
  { hours, after, limit }: { hours: number; after: number; limit: number },
): Promise<WatchedBalance[]> {
  const { rows } = await sql<Omit<WatchedBalance, 'told'> & LowBalance & { was_told: boolean }>`
    select t.id as team_id, t.public_id, t.post_paid_cap_micros as cap_micros,
      (select a.amount_micros from auto_top_ups a join team_cards c on c.team_id = a.team_id
        where a.team_id = t.id and a.enabled and a.declines = 0
          and not exists (select from payments p where p.team_id = t.id and p.automatic and ${waitsForPayerSql('p')}))
        as charge_micros,
      l.team_id is not null as was_told, l.hours, l.balance_micros, l.above_since
    from teams t left join low_balances l on l.team_id = t.id
      left join ledger_balances b on b.team_id = t.id and b.account = 'prepaid'
    where t.deleted_at is null and t.id > ${after} and (l.team_id is not null
      or coalesce(b.amount_micros, 0) + t.post_paid_cap_micros < ${mostUsed(now, hours)}
      or exists (select from orders o where o.team_id = t.id and o.state in ('paid', 'active') and o.renews)
      or (exists (select from usage_meters m where m.team_id = t.id and not m.ended)
        and exists (select from ai_requests r where r.team_id = t.id and not r.is_posted and r.cost_picos > 0)))
    order by t.id limit ${limit}`.execute(db);
  return rows.map(({ was_told, hours, balance_micros, above_since, ...team }) => ({
    ...team,
    told: was_told ? { hours, balance_micros, above_since } : null,
  }));
}

/** Replaces a team's warning. @returns false if another process was faster */
export async function setLowBalance(
  trx: Tx,
  team_id: number,
  { told, next }: { told: LowBalance | null; next: LowBalance | null },
): Promise<boolean> {
  if (told === null) {
    if (next === null) return false;
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('low_balances')
      .values({ team_id, ...next })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  if (next === null) {
    const { numDeletedRows } = await trx
      .deleteFrom('low_balances')
      .where('team_id', '=', team_id)
      .where('hours', '=', told.hours)
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }
  const { numUpdatedRows } = await trx
    .updateTable('low_balances')
    .set(next)
    .where('team_id', '=', team_id)
    .where('hours', '=', told.hours)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
