import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { storeStripeEvent } from '../db/billing/cardPayments';
import type { Db } from '../db/core/client';
import { CardError, type CardPayments } from '../drivers/payments';
import { createWrongTokens } from './connection/wrongTokens';

const MAX_BYTES = 512 * 1024;

/**
 * `POST /webhooks/stripe`: verifies an event over its raw bytes and stores it once; a worker handles it. Stripe
 * retries without a 2xx. Mounted before JSON parsing, which would lose the bytes.
 */
export function mountStripeWebhook(
  app: Express,
  { cards, db, log }: { cards: CardPayments | null; db: Db; log: Logger },
): void {
  if (!cards) return;
  const mayTry = createWrongTokens();
  app.post('/webhooks/stripe', express.raw({ type: () => true, limit: MAX_BYTES }), async (req, res) => {
    const answer = (status: number, message: string) =>
      void res.status(status).type('text/plain').send(`${message}\n`);
    try {
      const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const event = cards.verifyEvent(body, req.get('stripe-signature') ?? '');
      if (event === null) return answer(200, 'ignored');
      if (event.api_version !== cards.version)
        log.warn(
          { event: event.id, api_version: event.api_version },
          `Stripe's webhook endpoint uses a different API version; set it to ${cards.version}`,
        );
      await storeStripeEvent(db, { id: event.id, type: event.type, object_id: event.object_id });
      answer(200, 'stored');
    } catch (error) {
      if (error instanceof CardError) {
        if (error.failure === 'signature' && !(await mayTry(req)))
          return void res.status(429).set('Retry-After', '60').end();
        return answer(400, error.message);
      }
      log.error({ err: error }, "couldn't store a Stripe event");
      answer(500, 'not stored');
    }
  });
}
