import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { updateOrderMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Order } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay, useTitleInTeam } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { balanceOptions } from '../../../api/runway';
import { cvmPath } from '../../../lib/paths';
import { CopyId } from '../../../ui/data/CopyId';
import { Cost } from '../../../ui/data/Cost';
import { DataTable, type Column } from '../../../ui/data/DataTable';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { useToast } from '../../../ui/feedback/toasts';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { AddFundsDialog } from '../AddFundsDialog';
import { paymentFor } from '../amount';
import { ordersOptions } from '../queries';
import { TransferDetails } from '../TransferDetails';
import { useCheckout } from '../checkout/useCheckout';
import { CancelOrderDialog } from './CancelOrderDialog';
import { OrderRules } from './OrderRules';
import { RenewDialog } from './RenewDialog';
import { endOf, isOpen, missingFor, orderState, startWord, wayToPay } from './texts';
import { exactUsd, parseMicros } from '../../../lib/billing/money';
import { termText } from '../../../lib/billing/orderTerms';

type Opened = { show: 'rules' | 'pay' | 'funds' | 'cancel' | 'renew'; order: Order } | null;

/** A team's reservations and their actions. */
export function OrdersPanel({ teamSlug }: { teamSlug: string }) {
  const manage = useMay('billing.manage', teamSlug);
  const list = useInfiniteQuery(ordersOptions(teamSlug));
  const { data: billing } = useQuery(balanceOptions(teamSlug));
  const [opened, setOpened] = useState<Opened>(null);
  const checkout = useCheckout(teamSlug);
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const renewal = useMutation({
    ...updateOrderMutation(),
    onSuccess: async ({ name, renews }) => {
      await stale('listOrders', 'getBilling');
      setOpened(null);
      toast({ tone: 'ok', title: named(`Renewal turned ${renews ? 'on' : 'off'} for ${name}`) });
    },
  });
  const close = () => setOpened(null);
  const setRenewal = (order: Order, renews: boolean) =>
    renewal.mutate({ ...inTeam(teamSlug), path: { order_id: order.id }, body: { renews } });
  const waysToPay = (order: Order) => {
    switch (wayToPay(order)) {
      case 'transfer':
        return [{ id: 'pay', label: 'How to pay', onSelect: () => setOpened({ show: 'pay', order }) }];
      case 'card':
        return [
          {
            id: 'pay',
            label: 'Pay by card',
            onSelect: () => order.payment && checkout.mutate(order.payment.id),
          },
        ];
      case 'funds':
        return [{ id: 'pay', label: 'Add funds', onSelect: () => setOpened({ show: 'funds', order }) }];
      case null:
        return [];
    }
  };
  const actions = (order: Order) => [
    { id: 'rules', label: 'Show rules', onSelect: () => setOpened({ show: 'rules', order }) },
    ...(manage.allowed ? waysToPay(order) : []),
    ...(manage.allowed && isOpen(order)
      ? [
          order.renews
            ? { id: 'renewal', label: 'Turn renewal off', onSelect: () => setRenewal(order, false) }
            : {
                id: 'renewal',
                label: 'Turn renewal on',
                onSelect: () => setOpened({ show: 'renew', order }),
              },
          { id: 'cancel', label: 'Cancel order', onSelect: () => setOpened({ show: 'cancel', order }) },
        ]
      : []),
  ];
  const problem =
    problemOf(checkout.error, 'Couldn’t open the payment page') ??
    (opened === null ? problemOf(renewal.error, 'Couldn’t change renewal') : null);
  return (
    <Panel title="Reservations">
      {problem && <ErrorNotice problem={problem} />}
      <DataTable
        id="orders"
        noun={['reservation', 'reservations']}
        columns={columnsOf(teamSlug)}
        rows={list.data?.pages.flatMap(({ items }) => items)}
        more={{ list }}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={actions}
        problem={problemOf(list.error, 'Couldn’t load the reservations', () => void list.refetch())}
        empty={
          <EmptyState picture="gpu" title="No reservations yet">
            Reserve an instance type, or only its GPUs, for a term. What a reservation covers costs nothing
            extra until it ends. Disk beyond what the type includes is billed.
          </EmptyState>
        }
      />
      {opened?.show === 'rules' && (
        <FormDialog open onClose={close} title={opened.order.name}>
          <p>
            Order <CopyId id={opened.order.id} what="order ID" />
          </p>
          <OrderRules rules={opened.order.rules} />
        </FormDialog>
      )}
      {opened?.show === 'pay' && opened.order.payment && (
        <FormDialog open onClose={close} title="How to pay">
          <TransferDetails payment={opened.order.payment} bank={billing?.bank_transfer ?? null} />
        </FormDialog>
      )}
      {opened?.show === 'funds' && (
        <AddFundsDialog
          teamSlug={teamSlug}
          {...(billing && { amount: paymentFor(missingFor(opened.order, billing)) })}
          onClose={close}
        />
      )}
      {opened?.show === 'cancel' && (
        <CancelOrderDialog teamSlug={teamSlug} id={opened.order.id} onClose={close} />
      )}
      {opened?.show === 'renew' && (
        <RenewDialog
          order={opened.order}
          pending={renewal.isPending}
          problem={problemOf(renewal.error, 'Couldn’t turn renewal on')}
          onConfirm={() => setRenewal(opened.order, true)}
          onClose={close}
        />
      )}
    </Panel>
  );
}

const columnsOf = (teamSlug: string): Column<Order>[] => [
  { id: 'name', header: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  {
    id: 'state',
    header: 'State',
    width: 170,
    phone: 'end',
    cell: (order) => {
      const { word, ...look } = orderState(order);
      return <ToneChip {...look}>{word}</ToneChip>;
    },
  },
  {
    id: 'cvm',
    header: 'Covers',
    priority: 2,
    phone: 'meta',
    cell: (order) => <Covered teamSlug={teamSlug} order={order} />,
  },
  {
    id: 'starts',
    header: 'Start',
    width: 150,
    priority: 2,
    phone: 'meta',
    cell: (order) => <Start order={order} />,
  },
  { id: 'ends', header: 'End', width: 180, phone: 'meta', cell: (order) => <Until order={order} /> },
  {
    id: 'total',
    header: 'Term',
    width: 170,
    align: 'right',
    priority: 3,
    phone: 'hide',
    cell: ({ total, periods, period, refunded }) => (
      <>
        <Cost usd={total} /> for {termText(periods, period)}
        {parseMicros(refunded) !== 0 && <div>{exactUsd(refunded)} refunded</div>}
      </>
    ),
  },
];

function Covered({ teamSlug, order: { cvm, state, instance_type } }: { teamSlug: string; order: Order }) {
  if (cvm?.vm_uuid) return <TextLink href={cvmPath(teamSlug, cvm.vm_uuid)}>{cvm.name}</TextLink>;
  return state === 'active' ? `No CVM of type ${instance_type}` : <Nothing />;
}

/** A dash, hidden in phone rows. */
const Nothing = () => <span data-nothing="">—</span>;

function Start({ order }: { order: Order }) {
  const word = startWord(order);
  if (word === null || order.starts_at === null) return <Nothing />;
  return (
    <>
      {word} <RelativeTime at={order.starts_at} />
    </>
  );
}

function Until({ order }: { order: Order }) {
  const { state, pay_until, renews } = order;
  const ends_at = endOf(order);
  if (state === 'pending')
    return pay_until === null ? (
      <Nothing />
    ) : (
      <>
        Pay <RelativeTime at={pay_until} />
      </>
    );
  if (ends_at === null) return <Nothing />;
  return (
    <>
      {state === 'ended' ? 'Ended' : 'Ends'} <RelativeTime at={ends_at} />
      {renews && ', renews'}
    </>
  );
}
