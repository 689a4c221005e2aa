import { sql } from 'kysely';
import { RETENTION } from '../../../console/lib/activity/retention';
import type { Db, Tx } from '../core/client';
import type { WebhookDeliveryRow } from './webhookDeliveriesTable';
import type { WebhookEventKind } from '../../domain/webhooks/webhook';

/** How many deliveries of a webhook are kept and counted. */
export const KEPT_DELIVERIES: number = RETENTION.webhook_deliveries.newest.count;

export interface NewDelivery {
  webhook_id: number;
  event_id: string;
  event: WebhookEventKind;
  body: string;
  test?: boolean;
  next_attempt_at: Date;
}

export async function insertDeliveries(trx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length > 0)
    await trx
      .insertInto('webhook_deliveries')
      .values([...deliveries])
      .execute();
}

export const insertDelivery = (trx: Tx, delivery: NewDelivery): Promise<WebhookDeliveryRow> =>
  trx.insertInto('webhook_deliveries').values(delivery).returningAll().executeTakeFirstOrThrow();

/** Newest first. */
export const listDeliveries = (
  db: Db,
  webhook_id: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<WebhookDeliveryRow[]> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();

/** Yields all deliveries of a webhook, newest first. */
export async function* everyDelivery(
  db: Db,
  webhook_id: number,
  batch = 200,
): AsyncGenerator<WebhookDeliveryRow[]> {
  for (let before: number | undefined; ;) {
    const rows = await db
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhook_id)
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(batch)
      .execute();
    yield rows;
    before = rows.at(-1)?.id;
    if (before === undefined || rows.length < batch) return;
  }
}

export async function countDeliveries(db: Db, webhook_id: number): Promise<number> {
  const { n } = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('webhook_id', '=', webhook_id)
    .executeTakeFirstOrThrow();
  return n;
}

export async function countTestsSince(trx: Tx, webhook_id: number, since: Date): Promise<number> {
  const { n } = await trx
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('webhook_id', '=', webhook_id)
    .where('test', '=', true)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return n;
}

export const findDelivery = (
  db: Db | Tx,
  webhook_id: number,
  event_id: string,
): Promise<WebhookDeliveryRow | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .where('event_id', '=', event_id)
    .executeTakeFirst();

/**
 * Restarts a delivery from the first attempt, with its ID and body. Returns undefined when it is in progress
 * or deleted.
 */
export const requeueDelivery = (trx: Tx, id: number): Promise<WebhookDeliveryRow | undefined> =>
  trx
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', tries: 0, next_attempt_at: sql<Date>`now()`, finished_at: null })
    .where('id', '=', id)
    .where('state', '<>', 'pending')
    .returningAll()
    .executeTakeFirst();

/** Cancels pending deliveries of a webhook that was turned off. */
export async function cancelDeliveries(trx: Tx, webhook_id: number): Promise<void> {
  await trx
    .updateTable('webhook_deliveries')
    .set({ state: 'cancelled', next_attempt_at: null, finished_at: sql<Date>`now()` })
    .where('webhook_id', '=', webhook_id)
    .where('state', '=', 'pending')
    .where('test', '=', false)
    .execute();
}

export interface DeliveryStats {
  /** From when on all deliveries are counted. */
  since: Date;
  total: number;
  delivered: number;
  failed: number;
  pending: number;
  cancelled: number;
  duration_ms_p50: number | null;
  duration_ms_p95: number | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
}

export async function deliveryStats(
  db: Db,
  webhook_id: number,
  since: Date,
  kept = KEPT_DELIVERIES,
): Promise<DeliveryStats> {
  const { rows } = await sql<DeliveryStats>`
    with counted as (
      -- Older deliveries than the newest ones may be deleted already.
      select greatest(${since}::timestamptz, (
        select created_at from webhook_deliveries where webhook_id = ${webhook_id} order by id desc
        offset ${kept - 1} limit 1)) as since
    )
    select (select since from counted) as since, count(*) as total,
      count(*) filter (where state = 'delivered') as delivered, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where state = 'pending') as pending, count(*) filter (where state = 'cancelled') as cancelled,
      round(percentile_cont(0.5) within group (order by took) filter (where state = 'delivered'))::int as duration_ms_p50,
      round(percentile_cont(0.95) within group (order by took) filter (where state = 'delivered'))::int as duration_ms_p95,
      max(finished_at) filter (where state = 'delivered') as last_success_at,
      max(finished_at) filter (where state = 'failed') as last_failure_at
    from (
      select state, finished_at, (attempts -> -1 ->> 'duration_ms')::int as took
      from webhook_deliveries where webhook_id = ${webhook_id} and created_at >= (select since from counted) and not test
    ) d`.execute(db);
  return rows[0]!;
}
