import type { EventKind } from '../../../console/lib/activity/eventKinds';
import { sql } from 'kysely';
import { DISABLE_AFTER, MAX_ATTEMPTS_KEPT, type WebhookAttempt } from '../../domain/webhooks/webhook';
import { withTransaction, type Db, type Tx } from '../core/client';
import { addTeamEvents } from '../activity/eventFeed';
import { leasesOf } from '../core/leases';
import type { WebhookDeliveryRow } from './webhookDeliveriesTable';
import type { WebhookRow } from './webhooksTable';
import { cancelDeliveries } from './webhookDeliveries';
import { toJson } from '../core/json';

/** `seconds`: longer than two requests, which one attempt may take. */
export const webhookLeases = leasesOf({
  table: 'webhooks',
  open: sql`true`,
  seconds: 45,
});

/**
 * Leases webhooks with due deliveries, the longest waiting first, at most `per_team` of a team. A webhook is
 * leased whole, so its receiver gets one request at a time; the limit keeps a team of slow receivers from
 * using every slot.
 */
export async function leaseWebhooks(
  db: Db,
  { owner, at, limit, per_team }: { owner: string; at: Date; limit: number; per_team: number },
): Promise<number[]> {
  const taken = await webhookLeases.take(
    db,
    owner,
    sql`id = any(array(
      select w.id from webhooks w
      where w.id in (
        select id from (
          select f.id, row_number() over (partition by f.team_id order by f.last_leased_at nulls first, f.id) + (
              select count(*) from webhooks busy where busy.team_id = f.team_id and busy.lease_until >= now()) as place
          from webhooks f
          where (f.lease_until is null or f.lease_until < now()) and exists (
            select 1 from webhook_deliveries d
            where d.webhook_id = f.id and d.state = 'pending' and d.next_attempt_at <= ${at} and (f.enabled or d.test))
        ) free where place <= ${per_team}
      )
      and (w.lease_until is null or w.lease_until < now())
      order by w.last_leased_at nulls first, w.id limit ${limit} for update skip locked
    ))`,
    { also: sql`last_leased_at = now()` },
  );
  return taken.map(({ id }) => id);
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

/**
 * Returns the next due delivery of a webhook `owner` holds and renews the lease; undefined when there is none
 * or the lease is lost.
 */
export async function nextDelivery(
  db: Db,
  webhook_id: number,
  owner: string,
  at: Date,
): Promise<DueDelivery | undefined> {
  const webhook = await webhookLeases.renew(db, webhook_id, owner, '*');
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

/**
 * Records an attempt. `next` is the time of the next attempt; null when this one succeeded or was the last. A
 * delivery that was canceled or deleted stays so. @returns false, without a change, if `owner` no longer holds
 * the webhook: the process that took over sends the event again and records that
 */
export async function finishAttempt(
  db: Db,
  { webhook, delivery }: DueDelivery,
  attempt: WebhookAttempt,
  { owner, next, at }: { owner: string; next: Date | null; at: Date },
): Promise<boolean> {
  const delivered = attempt.error === null;
  return withTransaction(db, async (trx) => {
    const held = await webhookLeases.lock(trx, webhook.id, owner);
    if (!held) return false;
    const kept = [...delivery.attempts, attempt].slice(-MAX_ATTEMPTS_KEPT);
    const ended = delivered || next === null;
    const written = await trx
      .updateTable('webhook_deliveries')
      .set({
        attempts: toJson(kept),
        tries: delivery.tries + 1,
        state: delivered ? 'delivered' : ended ? 'failed' : 'pending',
        next_attempt_at: ended ? null : next,
        finished_at: ended ? at : null,
      })
      .where('id', '=', delivery.id)
      .where('state', '=', 'pending')
      // Otherwise this process sent it again since: it took its own expired lease.
      .where('tries', '=', delivery.tries)
      .returning('id')
      .executeTakeFirst();
    if (delivered) await noteSuccess(trx, held, at);
    else if (written && ended && !delivery.test) await noteFailure(trx, held, at);
    return true;
  });
}

const event = (webhook: WebhookRow, kind: EventKind, severity: 'info' | 'error', message: string) => ({
  team_id: webhook.team_id,
  kind,
  severity,
  message,
  data: { webhook_id: webhook.public_id },
});
/** The host only: the rest of the URL may be as sensitive as a password. */
const nameOf = ({ name, url }: WebhookRow) => name ?? new URL(url).host;

async function noteSuccess(trx: Tx, webhook: WebhookRow, at: Date): Promise<void> {
  // While it is off, only tests are sent: it accepts events again once a member turns it on.
  const fresh = webhook.enabled ? { failing_since: null, failures: 0 } : {};
  await trx
    .updateTable('webhooks')
    .set({ last_delivered_at: at, ...fresh })
    .where('id', '=', webhook.id)
    .execute();
  if (webhook.enabled && webhook.failing_since !== null)
    await addTeamEvents(trx, [
      event(webhook, 'webhook.recovered', 'info', `The webhook ${nameOf(webhook)} is accepting events again`),
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
        `The webhook ${name} was turned off after failing for ${DISABLE_AFTER.days} days`,
      ),
    ]);
  else if (webhook.failing_since === null)
    await addTeamEvents(trx, [
      event(webhook, 'webhook.failed', 'error', `An event could not be delivered to the webhook ${name}`),
    ]);
}
