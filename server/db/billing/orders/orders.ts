import { sql, type Updateable } from 'kysely';
import { OPEN_ORDER } from '../../../../console/lib/billing/allowedActions';
import { charge } from '../../../domain/billing/ledger';
import { addPeriods, noticeAt, renewAt, type Term } from '../../../domain/billing/orders/order';
import { utcDay } from '../../../domain/core/dates';
import { publicId } from '../../../domain/core/publicId';
import type { Db, Tx } from '../../core/client';
import { lockFunds } from '../holds';
import { lockLedger, openGrants, post } from '../ledger';
import type { OrderProductRow, OrderRow, OrdersTable } from './ordersTables';

/** Locks a product, so nobody else can take from its stock until the transaction ends. */
export const lockProductById = (trx: Tx, id: number): Promise<OrderProductRow | undefined> =>
  trx.selectFrom('order_products').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Like `lockProductById`. */
export const lockProduct = (trx: Tx, public_id: string): Promise<OrderProductRow | undefined> =>
  trx
    .selectFrom('order_products')
    .selectAll()
    .where('public_id', '=', public_id)
    .forUpdate()
    .executeTakeFirst();

/** Returns the rates of a product's instance type, which can't change until the transaction ends. */
export const ratesOfType = (trx: Tx, instance_type: string) =>
  trx
    .selectFrom('instance_types')
    .select(['hourly_rate_micros', 'gpu_rate_micros', 'state'])
    .where('id', '=', instance_type)
    .forShare()
    .executeTakeFirst();

/** Locks the products of an instance type. Lock them before the type, in the same order as saving one. */
export const lockProductsOfType = (trx: Tx, instance_type: string) =>
  trx
    .selectFrom('order_products')
    .select('id')
    .where('instance_type', '=', instance_type)
    .orderBy('id')
    .forUpdate()
    .execute();

/** Records the rates at which the giveaway of a type's products was computed. */
export const rerate = async (
  trx: Tx,
  instance_type: string,
  rated: Pick<OrderProductRow, 'rated_hourly_micros' | 'rated_gpu_micros'>,
): Promise<void> =>
  void (await trx
    .updateTable('order_products')
    .set(rated)
    .where('instance_type', '=', instance_type)
    .where('state', '=', 'active')
    .execute());

/** Returns the products of an instance type. */
export const productsOfType = (trx: Tx, instance_type: string): Promise<OrderProductRow[]> =>
  trx
    .selectFrom('order_products')
    .selectAll()
    .where('instance_type', '=', instance_type)
    .where('state', '=', 'active')
    .orderBy('id')
    .execute();

/** Counts the orders that take from a locked product's stock. */
export async function takenOf(trx: Tx, product_id: number): Promise<number> {
  const { count } = await trx
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('product_id', '=', product_id)
    .where('state', 'in', [...OPEN_ORDER])
    .executeTakeFirstOrThrow();
  return Number(count);
}

interface PendingOrders {
  count: number;
  /** Their total cost, in micro-dollars. */
  total: number;
  /** The part of it that the balance has to cover, because no payment on its way does. */
  claimed: number;
}

/** Returns a team's orders awaiting payment. */
export async function pendingOrders(trx: Tx, team_id: number): Promise<PendingOrders> {
  const { rows } = await sql<PendingOrders>`
    select count(*)::int as count, coalesce(sum(o.price_micros * o.periods), 0)::bigint as total,
      coalesce(sum(greatest(0, o.price_micros * o.periods - greatest(0, coalesce(p.amount_micros - p.received_micros, 0)))), 0)::bigint
        as claimed
    from orders o left join payments p on p.id = o.payment_id
    where o.team_id = ${team_id} and o.state = 'pending'`.execute(trx);
  return rows[0] ?? { count: 0, total: 0, claimed: 0 };
}

/**
 * Returns the unpaid orders that hold a place of a locked product, how many of them are one team's, and how
 * many that team left unpaid since a moment.
 */
export async function unpaidOrders(
  trx: Tx,
  { product_id, team_id, since }: { product_id: number; team_id: number; since: Date },
): Promise<{ held: number; own: number; lately: number }> {
  const { rows } = await sql<{ held: number; own: number; lately: number }>`
    select count(*)::int as held, count(*) filter (where team_id = ${team_id})::int as own,
      (select count(*)::int from orders o where o.team_id = ${team_id} and o.product_id = ${product_id}
        and o.created_at > ${since} and o.payment_id is not null and o.state in ('pending', 'cancelled')
        and not exists (select from order_terms t where t.order_id = o.id)) as lately
    from orders where product_id = ${product_id} and state = 'pending'`.execute(trx);
  return rows[0] ?? { held: 0, own: 0, lately: 0 };
}

export type NewOrder = Pick<
  OrderRow,
  'team_id' | 'periods' | 'starts_at' | 'renews' | 'pay_until' | 'payment_id' | 'created_by'
>;

/** Stores an order as agreed. From now on it takes from the stock. */
export const insertOrder = (trx: Tx, product: OrderProductRow, given: NewOrder): Promise<OrderRow> =>
  trx
    .insertInto('orders')
    .values({
      ...given,
      public_id: publicId('ord'),
      state: 'pending',
      product_id: product.id,
      name: product.name,
      instance_type: product.instance_type,
      covers: product.covers,
      period: product.period,
      price_micros: product.price_micros,
      min_periods: product.min_periods,
      refund_percent: product.refund_percent,
      product_version: product.version,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Locks an order after its team's funds and its product, in the same order as new orders, so that no two
 * transactions deadlock.
 */
export async function lockOrder(
  trx: Tx,
  by: { id: number } | { public_id: string; team_id: number },
): Promise<{ order: OrderRow; product: OrderProductRow } | undefined> {
  const found = await trx
    .selectFrom('orders')
    .select(['id', 'team_id', 'product_id'])
    .$if('id' in by, (query) => query.where('id', '=', (by as { id: number }).id))
    .$if('public_id' in by, (query) => {
      const { public_id, team_id } = by as { public_id: string; team_id: number };
      return query.where('public_id', '=', public_id).where('team_id', '=', team_id);
    })
    .executeTakeFirst();
  if (!found) return undefined;
  await lockFunds(trx, found.team_id);
  const product = await lockProductById(trx, found.product_id);
  const order = await trx
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', found.id)
    .forUpdate()
    .executeTakeFirst();
  return product && order ? { order, product } : undefined;
}

export const setOrder = (trx: Tx, id: number, change: Updateable<OrdersTable>): Promise<OrderRow> =>
  trx
    .updateTable('orders')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Price of a term. */
export const priceOf = ({ price_micros, periods }: Pick<OrderRow, 'price_micros' | 'periods'>): number =>
  price_micros * periods;

/** Returns the end of an order's next term, counted from its first start so that months never drift. */
export async function nextEnd(
  trx: Tx,
  order: OrderRow,
  starts_at: Date,
): Promise<{ number: number; ends_at: Date }> {
  const { count } = await trx
    .selectFrom('order_terms')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('order_id', '=', order.id)
    .executeTakeFirstOrThrow();
  const number = Number(count) + 1;
  const first = number === 1 ? starts_at : (order.starts_at ?? starts_at);
  return { number, ends_at: addPeriods(first, order.period, order.periods * number) };
}

/**
 * Charges the next term of a locked order to credits and prepaid funds, which the caller has checked. Uses
 * whole seconds, like metering.
 */
export async function payTerm(trx: Tx, order: OrderRow, start: Date, now: Date): Promise<OrderRow> {
  const starts_at = new Date(Math.floor(start.getTime() / 1000) * 1000);
  const { number, ends_at } = await nextEnd(trx, order, starts_at);
  const amount = priceOf(order);
  await lockLedger(trx, order.team_id);
  // Read after the lock: the charge must not be dated into a month invoiced while this one waited.
  const at = new Date();
  const posted = await post(trx, {
    team_id: order.team_id,
    kind: 'order',
    source_type: 'order_term',
    source_id: `${order.public_id}/${number}`,
    description: `${order.name}, ${utcDay(starts_at)} to ${utcDay(ends_at)}`,
    effective_at: at,
    entries: charge(amount, await openGrants(trx, order.team_id), (moment) => (moment > at ? amount : 0)),
  });
  if (!posted) throw new Error(`term ${number} of ${order.public_id} is paid already`);
  await trx
    .insertInto('order_terms')
    .values({
      order_id: order.id,
      number,
      starts_at,
      ends_at,
      amount_micros: amount,
      transaction_id: posted.id,
    })
    .execute();
  return setOrder(trx, order.id, {
    state: order.state === 'active' || starts_at <= now ? 'active' : 'paid',
    starts_at: number === 1 ? starts_at : order.starts_at,
    ends_at,
    pay_until: null,
    notice_at: noticeAt({ starts_at, ends_at }),
    renew_at: order.renews ? renewAt({ starts_at, ends_at }) : null,
    renewal_told: [],
  });
}

export interface OpenTerm extends Term {
  number: number;
  transaction_id: number;
}

/** Returns paid and unrefunded amounts of terms that end after `at`, oldest first. */
export const termsOf = async (db: Db | Tx, order_id: number, after: Date): Promise<OpenTerm[]> => {
  const { rows } = await sql<OpenTerm>`
    select t.number, t.starts_at, t.ends_at, t.amount_micros, t.transaction_id,
      (select coalesce(sum(r.amount_micros), 0)::bigint from order_refunds r
        where r.order_id = t.order_id and r.number = t.number) as refunded_micros
    from order_terms t where t.order_id = ${order_id} and t.ends_at > ${after} order by t.number`.execute(db);
  return rows;
};

/** Whether a team has an open debt; it can't order until that is settled. */
export async function isInDebt(db: Db | Tx, team_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('debts')
    .select('id')
    .where('team_id', '=', team_id)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
