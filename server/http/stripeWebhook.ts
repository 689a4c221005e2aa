import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { storeStripeEvent } from '../db/billing/cardPayments';
import type { Db } from '../db/core/client';
import { addressGroup } from '../domain/core/address';
import { CardError, type CardPayments } from '../drivers/payments';

const MAX_BYTES = 512 * 1024;
/** Requests per address and minute that are not signed by Stripe. */
const MOST_REFUSED = 60;

/**
 * `POST /webhooks/stripe`: verifies an event over the bytes as they came and stores it once; a worker handles it. Stripe
 * repeats what isn't answered with 2xx. Mounted before JSON parsing, which would lose the bytes.
 */
export function mountStripeWebhook(
  app: Express,
  { cards, db, log }: { cards: CardPayments | null; db: Db; log: Logger },
): void {
  if (!cards) return;
  const refused = new RateLimiterMemory({ points: MOST_REFUSED, duration: 60 });
  app.post('/webhooks/stripe', express.raw({ type: () => true, limit: MAX_BYTES }), async (req, res) => {
    const address = addressGroup(req.ip ?? '');
    const answer = (status: number, message: string) =>
      void res.status(status).type('text/plain').send(`${message}\n`);
    if (((await refused.get(address))?.consumedPoints ?? 0) >= MOST_REFUSED)
      return void res.status(429).set('Retry-After', '60').end();
    try {
      const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const event = cards.verifyEvent(body, req.get('stripe-signature') ?? '');
      if (event === null) return answer(200, 'ignored');
      if (event.api_version !== cards.version)
        log.warn(
          { event: event.id, api_version: event.api_version },
          `The webhook endpoint at Stripe uses another API version; set it to ${cards.version}`,
        );
      await storeStripeEvent(db, { id: event.id, type: event.type, object_id: event.object_id });
      answer(200, 'stored');
    } catch (error) {
      if (error instanceof CardError) {
        // What Stripe signed never counts: its events share a few addresses.
        if (error.failure === 'signature') await refused.consume(address).catch(() => undefined);
        return answer(400, error.message);
      }
      log.error({ err: error }, 'an event of Stripe could not be stored');
      answer(500, 'not stored');
    }
  });
}
