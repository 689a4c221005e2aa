import { sql } from 'kysely';
import { DISABLE_AFTER, MOST_ATTEMPTS_KEPT, type WebhookAttempt } from '../domain/webhook';
import { withTransaction, type Db, type Tx } from './client';
import { addTeamEvents } from './eventFeed';
import type { WebhookDeliveryRow, WebhookRow } from './schemaWebhooks';
import { cancelDeliveries } from './webhookDeliveries';

/** How long a webhook stays with whoever sends to it; longer than two requests, which one try may take. */
const LEASE_SECONDS = 45;

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

/**
 * Takes webhooks that something is due for, the longest waiting first, no more than `per_team` of a team: it is leased
 * whole, so that its receiver gets one request at a time, and a team of slow receivers leaves places to the others.
 */
export async function leaseWebhooks(
  db: Db,
  { owner, at, limit, per_team }: { owner: string; at: Date; limit: number; per_team: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update webhooks set lease_owner = ${owner}, lease_until = ${later(at, LEASE_SECONDS)}, last_leased_at = ${at}
    where id in (
      select w.id from webhooks w
      where w.id in (
        select id from (
          select f.id, row_number() over (partition by f.team_id order by f.last_leased_at nulls first, f.id) + (
              select count(*) from webhooks busy where busy.team_id = f.team_id and busy.lease_until >= ${at}) as place
          from webhooks f
          where (f.lease_until is null or f.lease_until < ${at}) and exists (
            select 1 from webhook_deliveries d
            where d.webhook_id = f.id and d.state = 'pending' and d.next_attempt_at <= ${at} and (f.enabled or d.test))
        ) free where place <= ${per_team}
      )
      and (w.lease_until is null or w.lease_until < ${at})
      order by w.last_leased_at nulls first, w.id limit ${limit} for update skip locked
    ) returning id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function deliveriesDue(db: Db, at: Date): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('state', '=', 'pending')
    .where('next_attempt_at', '<=', at)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface DueDelivery {
  webhook: WebhookRow;
  delivery: WebhookDeliveryRow;
}

/** The next thing due for a webhook `owner` holds, the lease renewed; undefined when there is none, or it is not theirs. */
export async function nextDelivery(
  db: Db,
  webhook_id: number,
  owner: string,
  at: Date,
): Promise<DueDelivery | undefined> {
  const webhook = await db
    .updateTable('webhooks')
    .set({ lease_until: later(at, LEASE_SECONDS) })
    .where('id', '=', webhook_id)
    .where('lease_owner', '=', owner)
    .returningAll()
    .executeTakeFirst();
  if (!webhook) return undefined;
  let query = db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .where('state', '=', 'pending')
    .where('next_attempt_at', '<=', at);
  if (!webhook.enabled) query = query.where('test', '=', true);
  const delivery = await query.orderBy('next_attempt_at').orderBy('id').limit(1).executeTakeFirst();
  return delivery && { webhook, delivery };
}

export async function releaseWebhook(db: Db, webhook_id: number, owner: string): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ lease_owner: null, lease_until: null })
    .where('id', '=', webhook_id)
    .where('lease_owner', '=', owner)
    .execute();
}

/** Gives back what workers held that `isDead` knows to be gone; the others' leases run out. */
export async function releaseDeadWebhooks(db: Db, isDead: (owner: string) => boolean): Promise<void> {
  const held = await db
    .selectFrom('webhooks')
    .select(['id', 'lease_owner'])
    .where('lease_owner', 'is not', null)
    .limit(1000)
    .execute();
  for (const { id, lease_owner } of held)
    if (lease_owner !== null && isDead(lease_owner)) await releaseWebhook(db, id, lease_owner);
}

/**
 * Writes a try down. `next` is when it is tried again; null when the try succeeded or was the last. Cancelled or
 * deleted in the meantime, it stays so.
 */
export async function finishAttempt(
  db: Db,
  { webhook, delivery }: DueDelivery,
  attempt: WebhookAttempt,
  { next, at }: { next: Date | null; at: Date },
): Promise<void> {
  const delivered = attempt.error === null;
  await withTransaction(db, async (trx) => {
    const held = await trx
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', webhook.id)
      .forUpdate()
      .executeTakeFirst();
    if (!held) return;
    const kept = [...delivery.attempts, attempt].slice(-MOST_ATTEMPTS_KEPT);
    const ended = delivered || next === null;
    const written = await trx
      .updateTable('webhook_deliveries')
      .set({
        attempts: JSON.stringify(kept),
        tries: delivery.tries + 1,
        state: delivered ? 'delivered' : ended ? 'failed' : 'pending',
        next_attempt_at: ended ? null : next,
        finished_at: ended ? at : null,
      })
      .where('id', '=', delivery.id)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (delivered) await noteSuccess(trx, held, at);
    else if (written && ended && !delivery.test) await noteFailure(trx, held, at);
  });
}

const event = (webhook: WebhookRow, kind: string, severity: 'info' | 'error', message: string) => ({
  team_id: webhook.team_id,
  kind,
  severity,
  message,
  data: { webhook_id: webhook.public_id },
});
/** The host only: the rest of an address may be as good as a password. */
const nameOf = ({ name, url }: WebhookRow) => name ?? new URL(url).host;

async function noteSuccess(trx: Tx, webhook: WebhookRow, at: Date): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ last_delivered_at: at, failing_since: null, failures: 0 })
    .where('id', '=', webhook.id)
    .execute();
  if (webhook.failing_since !== null)
    await addTeamEvents(trx, [
      event(webhook, 'webhook.recovered', 'info', `The webhook ${nameOf(webhook)} takes events again`),
    ]);
}

async function noteFailure(trx: Tx, webhook: WebhookRow, at: Date): Promise<void> {
  const failing_since = webhook.failing_since ?? at;
  const failures = webhook.failures + 1;
  const days = (at.getTime() - failing_since.getTime()) / 86_400_000;
  const disable = webhook.enabled && days >= DISABLE_AFTER.days && failures >= DISABLE_AFTER.failures;
  await trx
    .updateTable('webhooks')
    .set({ failing_since, failures, ...(disable ? { enabled: false, disabled_reason: 'failures' } : {}) })
    .where('id', '=', webhook.id)
    .execute();
  if (disable) await cancelDeliveries(trx, webhook.id);
  const name = nameOf(webhook);
  if (disable)
    await addTeamEvents(trx, [
      event(
        webhook,
        'webhook.disabled',
        'error',
        `The webhook ${name} was switched off: it took no event for ${DISABLE_AFTER.days} days`,
      ),
    ]);
  else if (webhook.failing_since === null)
    await addTeamEvents(trx, [
      event(webhook, 'webhook.failed', 'error', `An event could not be delivered to the webhook ${name}`),
    ]);
}
