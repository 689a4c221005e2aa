import { sql } from 'kysely';
import type { Window } from '../../../domain/billing/usageDays';
import type { Db, Tx } from '../../core/client';

/** Cost and reserved capacity of orders, as costs, budgets and exports show them. */

/** Order charges per term, with refunds as negative amounts. */
export const orderMovements = sql`
  select order_id, transaction_id, starts_at, ends_at, amount_micros from order_terms
  union all select order_id, transaction_id, null, null, -amount_micros from order_refunds`;

/** A team's charges, by booking time. */
const charges = (team_id: number, { from, to }: Window) => sql`
  select o.id as order_id, o.public_id, l.id as transaction_id, l.description, l.effective_at, m.starts_at, m.ends_at,
    m.amount_micros
  from orders o join (${orderMovements}) m on m.order_id = o.id join ledger_transactions l on l.id = m.transaction_id
  where o.team_id = ${team_id} and l.effective_at >= ${from} and l.effective_at < ${to}`;

export interface OrderDay {
  /** The order's public ID. */
  order_id: string;
  /** Start of the UTC day. */
  day: Date;
  /** Charges on that day. */
  amount_micros: number;
  /** Seconds of reserved capacity on that day. */
  seconds: number;
}

/** Returns a team's order costs per UTC day of a window. */
export async function orderDays(db: Db | Tx, team_id: number, window: Window): Promise<OrderDay[]> {
  const { rows } = await sql<OrderDay>`
    select public_id as order_id, date_trunc('day', effective_at, 'UTC') as day, sum(amount_micros)::bigint as amount_micros,
      0 as seconds
    from (${charges(team_id, window)}) c group by 1, 2 order by 2, 1`.execute(db);
  return rows;
}

/** Returns a team's reserved time by orders per UTC day of a window. */
export async function reservedDays(db: Db | Tx, team_id: number, { from, to }: Window): Promise<OrderDay[]> {
  const { rows } = await sql<OrderDay>`
    select o.public_id as order_id, day, 0 as amount_micros,
      sum(extract(epoch from least(t.ends_at, o.ends_at, day + interval '24 hours', ${to}) - greatest(t.starts_at, day)))::bigint as seconds
    from orders o join order_terms t on t.order_id = o.id,
      generate_series(${from}::timestamptz, ${to}::timestamptz - interval '1 microsecond', interval '24 hours') as day
    where o.team_id = ${team_id} and o.state in ('paid', 'active', 'ended', 'cancelled', 'refunded')
      and t.starts_at < least(o.ends_at, day + interval '24 hours', ${to}) and least(t.ends_at, o.ends_at) > greatest(t.starts_at, day)
      and coalesce(o.closed_at, 'infinity') > t.starts_at
    group by 1, 2 order by 2, 1`.execute(db);
  return rows;
}

/** Returns a team's order charges in a window, less refunds in it. */
export async function ordersSpent(db: Db | Tx, team_id: number, window: Window): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum(amount_micros), 0)::bigint as amount from (${charges(team_id, window)}) c`.execute(
    db,
  );
  return rows[0]?.amount ?? 0;
}

/** Returns the names of a team's orders by public ID. */
export async function orderNames(
  db: Db | Tx,
  team_id: number,
  public_ids: readonly string[],
): Promise<Map<string, string>> {
  if (public_ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('orders')
    .select(['public_id', 'name'])
    .where('team_id', '=', team_id)
    .where('public_id', 'in', [...public_ids])
    .execute();
  return new Map(rows.map(({ public_id, name }) => [public_id, name]));
}

/** Returns a team's orders that renew at the end of their term, with the number of paid terms. */
export const renewingOrders = (db: Db | Tx, team_id: number) =>
  db
    .selectFrom('orders as o')
    .select(['o.id', 'o.period', 'o.periods', 'o.price_micros', 'o.starts_at'])
    .select(sql<number>`(select count(*)::int from order_terms t where t.order_id = o.id)`.as('terms'))
    .where('o.team_id', '=', team_id)
    .where('o.state', 'in', ['paid', 'active'])
    .where('o.renews', '=', true)
    .execute();

export interface OrderCharge {
  transaction_id: number;
  public_id: string;
  description: string;
  effective_at: Date;
  /** The term; null for refunds. */
  starts_at: Date | null;
  ends_at: Date | null;
  /** Negative for refunds. */
  amount_micros: number;
}

/** Returns a team's order charges in a window, oldest first. */
export async function orderCharges(db: Db | Tx, team_id: number, window: Window): Promise<OrderCharge[]> {
  const { rows } = await sql<OrderCharge>`
    select * from (${charges(team_id, window)}) c order by effective_at, transaction_id`.execute(db);
  return rows;
}
