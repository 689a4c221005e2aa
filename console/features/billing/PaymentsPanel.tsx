import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelTopUpMutation } from '../../../generated/api/@tanstack/react-query.gen';
import type { Payment } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useStale } from '../../api/useStale';
import { CopyId } from '../../ui/data/CopyId';
import { Cost, dollars } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../ui/feedback/StatusChip';
import { FormDialog } from '../../ui/forms/FormDialog';
import { Panel } from '../../ui/layout/Panel';
import { balanceOptions, MONEY, paymentsOptions } from './queries';
import { paymentStates } from './texts';
import { TransferDetails } from './TransferDetails';

const columns: Column<Payment>[] = [
  {
    id: 'reference',
    header: 'Reference',
    cell: ({ reference }) => <CopyId id={reference} what="reference" />,
  },
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

function PaymentState({ payment: { state, reason } }: { payment: Payment }) {
  const { word, ...look } = paymentStates[state];
  return (
    <>
      <ToneChip {...look}>{word}</ToneChip>
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
  const waits = ({ state }: Payment) => state === 'pending' || state === 'part_paid';
  return (
    <Panel title="Payments">
      <DataTable
        id="payments"
        label="payments"
        bare
        columns={columns}
        rows={data?.items}
        rowId={({ id }) => id}
        rowName={({ reference }) => reference}
        rowActions={(row) => [
          ...(waits(row) ? [{ id: 'how', label: 'How to pay', onSelect: () => setShown(row) }] : []),
          ...(mayManage && row.state === 'pending'
            ? [{ id: 'cancel', label: 'Cancel payment', onSelect: () => setLeaving(row) }]
            : []),
        ]}
        problem={problemOf(error, 'Couldn’t load the payments', () => void refetch())}
        empty="No payment yet."
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
      title={`Cancel the payment of ${dollars(payment.amount)}?`}
      effects={['If money with its reference arrives anyway, it is still added to your balance.']}
      confirmLabel="Cancel payment"
      cancelLabel="Go back"
      pending={cancel.isPending}
      problem={problemOf(cancel.error, 'Couldn’t cancel the payment')}
      onConfirm={() => cancel.mutate({ ...inTeam(teamSlug), path: { payment_id: payment.id } })}
      onClose={onClose}
    />
  );
}
