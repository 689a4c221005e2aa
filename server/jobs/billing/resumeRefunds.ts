import { CENT_MICROS } from '../../db/billing/cardPayments';
import {
  auditRefund,
  endRefund,
  setRefund,
  unsettledRefunds,
  type UnsettledRefund,
} from '../../db/billing/cardRefunds';
import { settleRefund } from '../../db/billing/settleRefund';
import { withTransaction } from '../../db/core/client';
import { CardError, type CardRefund } from '../../drivers/payments';
import { REPEATABLE_MS } from './autoTopUp';
import type { CardParts } from './cardEvents';

/** Refunds handled per run; the rest is due in the next. */
const BATCH_SIZE = 50;
const SYSTEM = { actor_kind: 'system' } as const;

/**
 * Settles refunds whose request died, or which Stripe didn't answer, before their outcome was known.
 * @returns whether more may be due
 */
export async function resumeRefunds(parts: CardParts, now: Date): Promise<boolean> {
  const { db, log } = parts;
  const due = await unsettledRefunds(db, now, BATCH_SIZE);
  for (const refund of due) {
    await setRefund(db, refund.id, { updated_at: now });
    await resume(parts, refund, now).catch((err: unknown) =>
      log.error({ err, refund: refund.public_id }, 'refund still pending; checking again later'),
    );
  }
  return due.length === BATCH_SIZE;
}

async function resume(parts: CardParts, refund: UnsettledRefund, now: Date): Promise<void> {
  const made = await find(parts, refund, now);
  await withTransaction(parts.db, async (trx) => {
    if ('why' in made) {
      await endRefund(trx, refund, { state: 'failed', why: made.why });
      return auditRefund(trx, refund, 'payment.refund_refused', SYSTEM, made.why);
    }
    const booked = await settleRefund(trx, refund, made);
    if (booked) await auditRefund(trx, refund, 'payment.refund', SYSTEM);
  });
}

/** Returns the refund at Stripe, or why there is none. Requests it again while its idempotency key is valid. */
async function find(
  { cards }: CardParts,
  refund: UnsettledRefund,
  now: Date,
): Promise<CardRefund | { why: string }> {
  const made = (await cards.refunds(refund.payment_intent)).find(
    ({ id, key }) => id === refund.refund_id || key === refund.public_id,
  );
  if (made) return made;
  if (now.getTime() - refund.created_at.getTime() > REPEATABLE_MS)
    return { why: 'Stripe never received this refund.' };
  const cents = refund.amount_micros / CENT_MICROS;
  try {
    return await cards.refund({ intent_id: refund.payment_intent, cents, key: refund.public_id });
  } catch (error) {
    if (error instanceof CardError && error.failure !== 'down') return { why: error.message };
    throw error;
  }
}
