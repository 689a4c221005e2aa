import { sql } from 'kysely';
import { RETENTION } from '../../../console/lib/activity/retention';
import { appendAudit } from '../audit/auditLog';
import { withTransaction, type Db, type Tx } from '../core/client';
import { announceLimit, NEAR } from '../platform/retention';
import { KEPT_DELIVERIES } from './webhookDeliveries';

const DROPPED = 'webhook.deliveries_dropped';
/** Deliveries deleted per transaction. */
const BATCH = 20_000;
/** Batches per webhook and run: more than a webhook can receive in an hour. */
const BATCHES = 500;

interface Forgetting {
  kept?: number;
  /** Deliveries deleted per transaction. */
  batch?: number;
  /** Selects the webhooks whose deliveries are counted. */
  minute?: number;
  now?: Date;
}

/**
 * Keeps the newest deliveries of each webhook. The team is notified when a webhook comes close to its limit, and an hour or
 * more before the first deletion. A hanging receiver gets one event at a time, so deliveries that are still
 * waiting may be among the deleted ones: the team's audit log then says how many, and from when their events are. Each
 * run covers one sixtieth of the webhooks, selected by the current minute, so a webhook gets one entry an hour, or one per
 * batch.
 */
export async function forgetDeliveries(
  db: Db,
  { kept = KEPT_DELIVERIES, batch = BATCH, minute = new Date().getMinutes(), now }: Forgetting = {},
): Promise<void> {
  // Webhooks without a recent attempt have no new deliveries beyond their limit.
  const near = Math.floor(kept * NEAR);
  const { rows: close } = await sql<Omit<Over, 'newest'> & { newest: number | null }>`
    select w.id, w.team_id, w.public_id, newest.id as newest from webhooks w
    cross join lateral (
      select id from webhook_deliveries where webhook_id = w.id order by id desc offset ${near} limit 1) near
    left join lateral (
      select id from webhook_deliveries where webhook_id = w.id and id <= near.id order by id desc
      offset ${kept - near} limit 1) newest on true
    where w.id % 60 = ${minute}::int and w.last_leased_at > now() - interval '1 day'
    order by w.id`.execute(db);
  const told = await announceLimit(db, 'webhook_deliveries', close, now);
  const over = close.filter(
    (webhook): webhook is Over => webhook.newest !== null && told.has(webhook.team_id),
  );
  for (const webhook of over)
    for (let batches = 0; batches < BATCHES; batches++)
      if ((await forgetBatch(db, webhook, kept, batch)) < batch) break;
}

interface Over {
  id: number;
  team_id: number;
  public_id: string;
  /** The newest delivery to delete. */
  newest: number;
}

/** Deletes one batch with its audit entry. Returns how many deliveries it deleted. */
const forgetBatch = (db: Db, webhook: Over, kept: number, batch: number): Promise<number> =>
  withTransaction(db, async (trx) => {
    const dropped = await deleteUpTo(trx, webhook, batch);
    if (dropped.undelivered > 0)
      await appendAudit(trx, [
        {
          actor_kind: 'system',
          team_id: webhook.team_id,
          action: DROPPED,
          target_kind: 'webhook',
          target_id: webhook.public_id,
          after: {
            undelivered: dropped.undelivered,
            from: dropped.first?.toISOString() ?? null,
            to: dropped.last?.toISOString() ?? null,
            kept_deliveries: kept,
            export: RETENTION.events.export,
          },
        },
      ]);
    return dropped.deleted;
  });

interface Dropped {
  deleted: number;
  undelivered: number;
  first: Date | null;
  last: Date | null;
}

async function deleteUpTo(trx: Tx, { id, newest }: Over, batch: number): Promise<Dropped> {
  const { rows } = await sql<Dropped>`
    with gone as (
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where webhook_id = ${id} and id <= ${newest} order by id limit ${batch})
      returning state = 'pending' and not test as undelivered, created_at
    )
    select count(*)::int as deleted, count(*) filter (where undelivered)::int as undelivered,
      min(created_at) filter (where undelivered) as first, max(created_at) filter (where undelivered) as last
    from gone`.execute(trx);
  return rows[0]!;
}
