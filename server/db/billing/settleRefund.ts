import type { Tx } from '../core/client';
import { bookRefund } from './cardPayments';
import { setRefund, type UnsettledRefund } from './cardRefunds';
import type { PaymentRow } from './paymentsTables';

/** A refund at Stripe, as it is now. */
interface RefundMade {
  id: string;
  cents: number;
  status: 'pending' | 'succeeded' | 'failed';
}

/**
 * Books what became of a refund at Stripe, and no longer sets its amount aside. One that the bank still works on stays set
 * aside. @returns the payment if something was booked
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
