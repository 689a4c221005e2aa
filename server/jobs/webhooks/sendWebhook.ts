import type { Logger } from 'pino';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { Db } from '../../db/core/client';
import {
  deliveriesDue,
  finishAttempt,
  leaseWebhooks,
  nextDelivery,
  webhookLeases,
  type DueDelivery,
} from '../../db/webhooks/webhookSending';
import type { Seal } from '../../domain/core/seal';
import { ATTEMPT_MS, retryAt, webhookHeaders, type WebhookAttempt } from '../../domain/webhooks/webhook';
import { isChat } from '../../domain/webhooks/chatMessage';
import { openSecrets } from '../../domain/webhooks/webhookSecret';
import { OutboundError, type Outbound } from '../../drivers/net';
import { createInProgress } from '../core/inProgress';
import { deadExcept } from '../core/workerId';

/** Receivers called concurrently by this process, and per team by all processes. */
const MAX_CONCURRENT = 64;
const PER_TEAM = 5;
/** Deliveries to one webhook before it returns to the end of the queue; a slow webhook returns after each. */
const IN_A_ROW = 20;
const SLOW_MS = 1_000;
/** Time for requests to finish when the process drains. */
const GRACE_MS = 3_000;

export interface WebhookSenderOptions {
  db: Db;
  seal: Seal;
  /** Refuses private addresses, whatever DNS returns by now. */
  net: Outbound;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
  now?: () => Date;
  /** Time limit of one request. */
  attempt_ms?: number;
}

export interface WebhookSender {
  /** Starts all due work: new deliveries, retries, or those left by a worker that died. */
  sweep(): Promise<void>;
  /** Resolves when no request is in progress. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Sends deliveries. Any number of processes may run it; only the lease holder serves a webhook. */
export function createWebhookSender({
  db,
  seal,
  net,
  log,
  owner,
  now = () => new Date(),
  attempt_ms = ATTEMPT_MS,
}: WebhookSenderOptions): WebhookSender {
  const serving = createInProgress(GRACE_MS);

  async function serve(webhook_id: number): Promise<void> {
    try {
      for (let count = 0; count < IN_A_ROW && !serving.stopping.aborted; count++) {
        const due = await nextDelivery(db, webhook_id, owner, now());
        if (!due) break;
        const attempt = await tried(due);
        // Aborted midway: whether it arrived is unknown, so it is sent again, with the same ID.
        if (!attempt) break;
        if (!(await finish(due, attempt))) break;
        if (attempt.duration_ms > SLOW_MS) break;
      }
    } finally {
      await webhookLeases.release(db, webhook_id, owner);
    }
  }

  /** @returns whether this process still held the webhook */
  async function finish(due: DueDelivery, attempt: WebhookAttempt): Promise<boolean> {
    const { webhook, delivery } = due;
    const tries = delivery.tries + 1;
    const at = now();
    const next = attempt.error === null || delivery.test ? null : retryAt(tries, at);
    const isHeld = await finishAttempt(db, due, attempt, { owner, next, at });
    const about = { webhook: webhook.public_id, event_id: delivery.event_id, tries, status: attempt.status };
    if (!isHeld) log.warn(about, 'webhook deleted or taken over by another process; attempt not recorded');
    else if (attempt.error === null) log.debug(about, 'webhook delivered');
    else log.info({ ...about, reason: attempt.error, again: next !== null }, 'webhook not delivered');
    return isHeld;
  }

  async function tried({ webhook, delivery }: DueDelivery): Promise<WebhookAttempt | null> {
    const at = now();
    const began = performance.now();
    const outcome = (
      status: number | null,
      error: WebhookAttempt['error'],
      message: string | null = null,
    ): WebhookAttempt => ({
      at: at.toISOString(),
      status,
      error,
      message: message === null ? null : cutWhole(message, 300),
      duration_ms: Math.round(performance.now() - began),
    });
    let secrets: ReturnType<typeof openSecrets>;
    try {
      secrets = openSecrets(seal, webhook, at);
    } catch {
      // The cipher's error message helps nobody.
      return outcome(null, 'refused', 'Its secret can no longer be decrypted: rotate it.');
    }
    const { secret } = secrets;
    // Chats verify no signature, so an error isn't about the secret.
    const previous = isChat(webhook.format) ? null : secrets.previous;
    const { event_id, event, body } = delivery;
    const send = (signed: { secret: string; previous: string | null }) =>
      net.status(new URL(webhook.url), {
        method: 'POST',
        headers: webhookHeaders({ event_id, event, body, ...signed, at }),
        body,
        timeout_ms: attempt_ms,
        signal: serving.cut,
      });
    try {
      const status = await send({ secret, previous });
      if (status < 400 || previous === null) return judged(status, outcome);
      // The receiver may not have the new secret yet. Verifiers check only one header, so the retry puts the
      // old signature there.
      const again = await send({ secret: previous, previous: null });
      return again >= 200 && again < 300
        ? outcome(again, null, 'The receiver still uses the previous secret.')
        : judged(status, outcome);
    } catch (error) {
      if (serving.cut.aborted) return null;
      if (!(error instanceof OutboundError)) throw error;
      // The body is never read, so it can't be too large.
      return outcome(null, error.kind === 'too_large' ? 'unreachable' : error.kind, error.message);
    }
  }

  return {
    async sweep() {
      if (serving.stopping.aborted) return;
      await webhookLeases.releaseHeldBy(db, deadExcept(owner));
      const limit = MAX_CONCURRENT - serving.size;
      if (limit <= 0 || !(await deliveriesDue(db, now()))) return;
      for (const id of await leaseWebhooks(db, { owner, at: now(), limit, per_team: PER_TEAM }))
        serving.add(serve(id), (error) =>
          log.error({ err: error, webhook: id }, 'failed to process a webhook'),
        );
    },
    idle: () => serving.idle(),
    stop: () => serving.stop(),
  };
}

function judged(
  status: number,
  outcome: (status: number, error: WebhookAttempt['error'], message?: string) => WebhookAttempt,
): WebhookAttempt {
  if (status >= 200 && status < 300) return outcome(status, null);
  if (status >= 300 && status < 400)
    return outcome(status, 'redirect', `It returned status ${status}: redirects are not followed.`);
  return outcome(status, 'status', `It returned status ${status}.`);
}
