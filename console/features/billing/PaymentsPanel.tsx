import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { cancelTopUpMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Payment } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { balanceOptions } from '../../api/runway';
import { useTitleInTeam } from '../../api/session';
import { CopyId } from '../../ui/data/CopyId';
import { allows, paymentActions } from '../../lib/billing/allowedActions';
import { exactUsd } from '../../lib/billing/money';
import { Cost } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { useToast } from '../../ui/feedback/toasts';
import { FormDialog } from '../../ui/forms/FormDialog';
import { Panel } from '../../ui/layout/Panel';
import { MONEY, paymentsIn, paymentsOptions } from './queries';
import { driverTexts, paymentState } from './texts';
import { TransferDetails } from './TransferDetails';
import { useCheckout } from './checkout/useCheckout';

const columnsOf = (confirmed: string | undefined): Column<Payment>[] => [
  {
    id: 'reference',
    header: 'Reference',
    cell: ({ reference }) => <CopyId id={reference} what="reference" />,
  },
  { id: 'driver', header: 'Method', cell: ({ driver }) => driverTexts[driver], priority: 2 },
  {
    id: 'state',
    header: 'State',
    cell: (row) => <PaymentState payment={row} isConfirmed={row.id === confirmed} />,
    wrap: true,
    phone: 'end',
  },
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ amount }) => <Cost usd={amount} />,
    align: 'right',
    labelled: true,
  },
  {
    id: 'received',
    header: 'Received',
    cell: ({ received }) => <Cost usd={received} />,
    align: 'right',
    priority: 2,
    labelled: true,
    phone: 'meta',
  },
  {
    id: 'created',
    header: 'Started',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
    priority: 2,
  },
];

function PaymentState({ payment, isConfirmed }: { payment: Payment; isConfirmed: boolean }) {
  const { reason, returned } = payment;
  const { word, ...look } = paymentState(payment, isConfirmed);
  return (
    <>
      <ToneChip {...look}>{word}</ToneChip>
      {returned !== '0.00' && <> {exactUsd(returned)} returned</>}
      {reason !== null && <div>{reason}</div>}
    </>
  );
}

interface Props {
  teamSlug: string;
  mayManage: boolean;
  /** ID of a card payment just made, before Stripe has confirmed it. */
  confirmed?: string | undefined;
  onLeave?: ((paymentId: string) => Promise<void>) | undefined;
}

/** The team's payments. */
export function PaymentsPanel({ teamSlug, mayManage, confirmed, onLeave }: Props) {
  const list = useInfiniteQuery(paymentsOptions(teamSlug));
  const payments = paymentsIn(list.data);
  const { data: billing } = useQuery(balanceOptions(teamSlug));
  const [shown, setShown] = useState<Payment>();
  const [leaving, setLeaving] = useState<Payment>();
  const checkout = useCheckout(teamSlug, onLeave);
  useReceived(payments);
  const waysToPay = (row: Payment) => {
    if (row.driver === 'manual' && (row.state === 'pending' || row.state === 'part_paid'))
      return [{ id: 'how', label: 'How to pay', onSelect: () => setShown(row) }];
    if (row.waits_for_payer && mayManage)
      return [{ id: 'pay', label: 'Pay by card', onSelect: () => checkout.mutate(row.id) }];
    return [];
  };
  return (
    <Panel title="Payments">
      <DataTable
        id="payments"
        noun={['payment', 'payments']}
        bare
        columns={columnsOf(confirmed)}
        rows={payments}
        more={{ list }}
        rowId={({ id }) => id}
        rowName={({ reference }) => reference}
        rowActions={(row) => [
          ...waysToPay(row),
          // The saved card may already have been charged for an automatic payment.
          ...(mayManage &&
          allows(paymentActions.cancel, row.state) &&
          (row.driver !== 'stripe' || row.waits_for_payer)
            ? [{ id: 'cancel', label: 'Cancel payment', onSelect: () => setLeaving(row) }]
            : []),
        ]}
        problem={
          problemOf(payments ? null : list.error, 'Couldn’t load the payments', () => void list.refetch()) ??
          problemOf(checkout.error, 'Couldn’t open the payment page')
        }
        empty="No payments yet. Card payments and bank transfers appear here."
      />
      {shown && (
        <FormDialog open onClose={() => setShown(undefined)} title="How to pay">
          <TransferDetails payment={shown} bank={billing?.bank_transfer ?? null} />
        </FormDialog>
      )}
      {leaving && (
        <CancelPayment teamSlug={teamSlug} payment={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </Panel>
  );
}

/** Refreshes the balance when money has arrived. */
function useReceived(payments: readonly Payment[] | undefined): void {
  const stale = useStale();
  const received = payments?.map((one) => `${one.id} ${one.received}`).join();
  const last = useRef(received);
  useEffect(() => {
    if (last.current !== undefined && last.current !== received)
      void stale('getBilling', 'listTransactions', 'listCredits', 'getDebt');
    last.current = received;
  }, [received, stale]);
}

function CancelPayment({
  teamSlug,
  payment,
  onClose,
}: {
  teamSlug: string;
  payment: Payment;
  onClose: () => void;
}) {
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const cancel = useMutation({
    ...cancelTopUpMutation(),
    onSuccess: async () => {
      await stale(...MONEY);
      onClose();
      toast({ tone: 'ok', title: named(`${exactUsd(payment.amount)} payment canceled`) });
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Cancel the ${exactUsd(payment.amount)} payment?`}
      effects={[
        payment.driver === 'stripe'
          ? 'Its payment page is closed.'
          : 'If money with its reference arrives anyway, it is still added to your balance.',
      ]}
      confirmLabel="Cancel payment"
      cancelLabel="Go back"
      pending={cancel.isPending}
      problem={problemOf(cancel.error, 'Couldn’t cancel the payment')}
      onConfirm={() => cancel.mutate({ ...inTeam(teamSlug), path: { payment_id: payment.id } })}
      onClose={onClose}
    />
  );
}
