import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { cancelTopUpMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Payment } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { balanceOptions } from '../../api/runway';
import { CopyId } from '../../ui/data/CopyId';
import { exactUsd } from '../../lib/billing/money';
import { Cost } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../ui/feedback/StatusChip';
import { FormDialog } from '../../ui/forms/FormDialog';
import { Panel } from '../../ui/layout/Panel';
import { MONEY, paymentsOptions } from './queries';
import { driverTexts, paymentStates } from './texts';
import { TransferDetails } from './TransferDetails';
import { useCheckout } from './useCheckout';

const columns: Column<Payment>[] = [
  {
    id: 'reference',
    header: 'Reference',
    cell: ({ reference }) => <CopyId id={reference} what="reference" />,
  },
  { id: 'driver', header: 'By', cell: ({ driver }) => driverTexts[driver], priority: 2 },
  { id: 'state', header: 'State', cell: (row) => <PaymentState payment={row} />, phone: 'end' },
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
  },
  {
    id: 'created',
    header: 'Started',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
    priority: 2,
  },
];

function PaymentState({ payment: { state, reason, returned } }: { payment: Payment }) {
  const { word, ...look } = paymentStates[state];
  return (
    <>
      <ToneChip {...look}>{word}</ToneChip>
      {returned !== '0.00' && <> {exactUsd(returned)} returned</>}
      {reason !== null && <> {reason}</>}
    </>
  );
}

/** Payments a team started. */
export function PaymentsPanel({ teamSlug, mayManage }: { teamSlug: string; mayManage: boolean }) {
  const { data, error, refetch } = useQuery(paymentsOptions(teamSlug));
  const { data: billing } = useQuery(balanceOptions(teamSlug));
  const [shown, setShown] = useState<Payment>();
  const [leaving, setLeaving] = useState<Payment>();
  const checkout = useCheckout(teamSlug);
  useReceived(data?.items);
  const waysToPay = (row: Payment) => {
    if (row.driver === 'manual' && (row.state === 'pending' || row.state === 'part_paid'))
      return [{ id: 'how', label: 'How to pay', onSelect: () => setShown(row) }];
    if (row.driver === 'stripe' && row.state === 'pending' && mayManage)
      return [{ id: 'pay', label: 'Pay by card', onSelect: () => checkout.mutate(row.id) }];
    return [];
  };
  return (
    <Panel title="Payments">
      <DataTable
        id="payments"
        noun={['payment', 'payments']}
        bare
        columns={columns}
        rows={data?.items}
        rowId={({ id }) => id}
        rowName={({ reference }) => reference}
        rowActions={(row) => [
          ...waysToPay(row),
          ...(mayManage && row.state === 'pending'
            ? [{ id: 'cancel', label: 'Cancel payment', onSelect: () => setLeaving(row) }]
            : []),
        ]}
        problem={
          problemOf(error, 'Couldn’t load the payments', () => void refetch()) ??
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
  const cancel = useMutation({
    ...cancelTopUpMutation(),
    onSuccess: async () => {
      await stale(...MONEY);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={`Cancel the payment of ${exactUsd(payment.amount)}?`}
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
