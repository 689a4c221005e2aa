import type { Logger } from 'pino';
import { eachBounded } from '../../../console/lib/eachBounded';
import { appendAudit } from '../../db/audit/auditLog';
import { withTransaction, type Db } from '../../db/core/client';
import {
  dropWebhookWatch,
  dueWatchDeliveries,
  noteWatchAttempt,
  type DueWatchDelivery,
  type RunLimits,
} from '../../db/public/watchWebhooks';
import type { Seal } from '../../domain/core/seal';
import { openWatchSecret, WATCH_RETRY_SECONDS } from '../../domain/public/watchEvent';
import { ATTEMPT_MS, retryAt, webhookHeaders } from '../../domain/webhooks/webhook';
import { OutboundError, type Outbound } from '../../drivers/net';

const MAX_CONCURRENT = 32;
const LIMITS: RunLimits = { total: 128, per_team: 32, per_host: 16 };
const GONE = 410;

interface SendWatchWebhooksOptions {
  db: Db;
  seal: Seal;
  /** Refuses private addresses, whatever DNS returns by now. */
  net: Outbound;
  log: Logger;
  signal?: AbortSignal;
  now?: () => Date;
}

/** Sends due deliveries to webhooks that watch an app. Run by one worker at a time. */
export async function sendWatchWebhooks(options: SendWatchWebhooksOptions): Promise<void> {
  const { db, log, now = () => new Date() } = options;
  const due = await dueWatchDeliveries(db, now(), LIMITS);
  const results = await eachBounded(due, MAX_CONCURRENT, (delivery) => deliver(options, delivery));
  for (const result of results)
    if (result.status === 'rejected') log.error({ err: result.reason }, 'failed to process a watch webhook');
}

async function deliver(options: SendWatchWebhooksOptions, delivery: DueWatchDelivery): Promise<void> {
  const { db, log, now = () => new Date() } = options;
  const status = await tried(options, delivery, now());
  // Aborted midway: whether it arrived is unknown, so it is sent again with the same ID.
  if (options.signal?.aborted) return;
  const about = { watch: delivery.public_id, event_id: delivery.event_id, status };
  if (status !== null && status >= 200 && status < 300)
    return void (await noteWatchAttempt(db, delivery, null));
  const next = status === GONE ? null : retryAt(delivery.tries + 1, now(), WATCH_RETRY_SECONDS);
  log.info({ ...about, again: next !== null }, 'a watch webhook rejected its event');
  if (next) await noteWatchAttempt(db, delivery, next);
  else await drop(db, delivery, status === GONE ? 'gone' : 'failed');
}

/** `gone`: the receiver unsubscribed; `failed`: it accepted none of the attempts. */
const drop = (db: Db, delivery: DueWatchDelivery, reason: 'gone' | 'failed') =>
  withTransaction(db, async (trx) => {
    if (!(await dropWebhookWatch(trx, delivery))) return;
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'app_watch.drop_webhook',
        target_kind: 'app',
        target_id: delivery.app_id,
        after: { watch: delivery.public_id, host: new URL(delivery.url).host, reason },
      },
    ]);
  });

/** Returns the response status; null without a response. */
async function tried(
  { seal, net, signal }: SendWatchWebhooksOptions,
  { url, sealed_secret, event_id, event, body }: DueWatchDelivery,
  at: Date,
): Promise<number | null> {
  let secret: string;
  try {
    secret = openWatchSecret(seal, sealed_secret);
  } catch {
    // Sealed with another server's secret. Counts as an attempt, so that others get their turn.
    return null;
  }
  try {
    return await net.status(new URL(url), {
      method: 'POST',
      headers: webhookHeaders({ event_id, event, body, secret, previous: null, at }),
      body,
      timeout_ms: ATTEMPT_MS,
      signal,
    });
  } catch (error) {
    if (error instanceof OutboundError || signal?.aborted) return null;
    throw error;
  }
}
