import { useInfiniteQuery } from '@tanstack/react-query';
import { problemOf } from '../../../api/problem';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { Notice } from '../../../ui/feedback/Notice';
import { checkoutText } from './checkoutText';
import { paymentsIn, paymentsOptions } from '../queries';
import { useCheckout, useIsLeaving } from './useCheckout';

interface Props {
  teamSlug: string;
  /** The payment whose payment page the payer has left. */
  paymentId: string;
  checkout: 'done' | 'left';
  mayManage: boolean;
  onLeave: (paymentId: string) => Promise<void>;
  onDismiss: () => void;
}

/** Shows payers the status of their payment after they return from the payment page. */
export function CheckoutNotice({ teamSlug, paymentId, checkout, mayManage, onLeave, onDismiss }: Props) {
  const { data } = useInfiniteQuery(paymentsOptions(teamSlug));
  const again = useCheckout(teamSlug, onLeave);
  const isLeaving = useIsLeaving();
  const payment = paymentsIn(data)?.find(({ id }) => id === paymentId);
  // While leaving for the payment page, the address already names this payment.
  if (!payment || isLeaving) return null;
  const { tone, title, text, isOpen } = checkoutText(payment, checkout);
  return (
    <Notice
      tone={tone}
      title={title}
      onDismiss={onDismiss}
      action={
        isOpen &&
        mayManage && (
          <PendingButton size="small" pending={again.isPending} onClick={() => again.mutate(payment.id)}>
            Pay by card
          </PendingButton>
        )
      }
    >
      {problemOf(again.error, 'Couldn’t open the payment page')?.message ?? text}
    </Notice>
  );
}
