import type { Tx } from '../core/client';
import { bookRefund } from './cardPayments';
import { setRefund, type UnsettledRefund } from './cardRefunds';
import type { PaymentRow } from './paymentsTables';

/** The current state of a refund at Stripe. */
interface RefundMade {
  id: string;
  cents: number;
  status: 'pending' | 'succeeded' | 'failed';
}

/**
 * Books a refund's outcome at Stripe, and releases the amount set aside. The amount stays set aside while the
 * bank is still processing. @returns the payment if something was booked
 */
export async function settleRefund(
  trx: Tx,
  { id, payment_intent: intent_id }: UnsettledRefund,
  made: RefundMade,
): Promise<PaymentRow | null> {
  await setRefund(trx, id, { refund_id: made.id });
  if (made.status === 'pending') return null;
  const booked = await bookRefund(trx, {
    intent_id,
    id: made.id,
    cents: made.cents,
    failed: made.status === 'failed',
  });
  return booked ?? null;
}
