import type { Payment } from '../../../../generated/api/types.gen';
import { exactUsd } from '../../../lib/billing/money';
import type { Tone } from '../../../ui/feedback/status';

interface CheckoutText {
  tone: Tone;
  title: string;
  text: string;
  /** Whether it can still be paid on its payment page. */
  isOpen: boolean;
}

/** Returns the text for payers who have left the payment page. */
export function checkoutText(
  { state, amount, received, reason }: Pick<Payment, 'state' | 'amount' | 'received' | 'reason'>,
  checkout: 'done' | 'left',
): CheckoutText {
  const [sum, arrived] = [exactUsd(amount), exactUsd(received)];
  switch (state) {
    case 'paid':
    case 'part_paid':
      return {
        tone: 'ok',
        title: `${arrived} received`,
        text: 'It was added to the balance.',
        isOpen: false,
      };
    case 'pending':
      if (checkout === 'done' && reason === null)
        return {
          tone: 'progress',
          title: `The ${sum} payment is processing`,
          text: 'Stripe usually confirms it within seconds. This page updates automatically.',
          isOpen: false,
        };
      return {
        tone: reason === null ? 'attention' : 'error',
        title: `${sum} wasn’t paid`,
        text:
          reason === null
            ? 'You left the payment page before paying. Nothing was charged.'
            : checkout === 'left'
              ? `${reason} Nothing was charged.`
              : `${reason} If you paid with another card after that, this page updates automatically.`,
        isOpen: true,
      };
    case 'cancelled':
    case 'rejected':
    case 'reversed':
      return {
        tone: 'attention',
        title: `${sum} wasn’t paid`,
        text: reason ?? 'The payment was canceled.',
        isOpen: false,
      };
  }
}
