import { exactUsd, roundedUsd } from '../../../lib/billing/money';
import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createOrderMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Billing, CreateOrder, Order, OrderProduct } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { color, radius, space, type } from '../../../ui/theme';
import { MONEY } from '../queries';
import { useCheckout } from '../useCheckout';
import { OrderRules } from './OrderRules';
import { periodsOf, termFault, termText, totalOf } from './texts';

const Sum = styled('p')({
  ...type.body,
  padding: `${space(2)} ${space(3)}`,
  borderRadius: radius.control,
  backgroundColor: color.sunken,
});

type PayWith = NonNullable<CreateOrder['pay_with']>;

interface Props {
  teamSlug: string;
  product: OrderProduct;
  billing: Billing | undefined;
  onWaiting: (order: Order) => void;
  onClose: () => void;
}

/** Asks for the term and how it is paid; the rules are read before the button. */
export function OrderForm({ teamSlug, product, billing, onWaiting, onClose }: Props) {
  const [term, setTerm] = useState(String(product.min_periods));
  const [date, setDate] = useState('');
  const [renews, setRenews] = useState(false);
  const [payWith, setPayWith] = useState<PayWith>('balance');
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const toast = useToast();
  const checkout = useCheckout(teamSlug);
  const create = useMutation({
    ...createOrderMutation(),
    onSuccess: async (order) => {
      await stale('listOrders', 'listOrderProducts', ...MONEY);
      if (order.payment?.driver === 'stripe') return checkout.mutate(order.payment.id);
      if (order.payment) return onWaiting(order);
      toast({
        tone: 'ok',
        title: `${order.name} is ${order.state === 'active' ? 'active' : 'paid'}`,
        message: `${exactUsd(order.total)} were charged to the balance.`,
      });
      onClose();
    },
    // The price that is shown becomes the one that the server named.
    onError: () => stale('listOrderProducts'),
  });
  const problem =
    problemOf(create.error, 'Couldn’t place the order') ??
    problemOf(checkout.error, 'Couldn’t open the payment page');
  const periods = periodsOf(term, product);
  const total = periods === null ? null : totalOf(product.price, periods);
  const start = startOf(date);
  const submit = () => {
    setTried(true);
    if (periods === null || total === null || start === undefined) return;
    const body: CreateOrder = {
      product_id: product.id,
      periods,
      version: product.version,
      total,
      pay_with: payWith,
      renews,
      ...(start === null ? {} : { starts_at: start }),
    };
    create.mutate({ body, headers: { ...inTeam(teamSlug).headers, ...idempotent(body) } });
  };
  return (
    <FormShell
      aria-label={`Reserve ${product.name}`}
      error={problem}
      // The page stays until the browser has left it.
      pending={create.isPending || checkout.isPending || checkout.isSuccess}
      onSubmit={submit}
      submitLabel={total === null ? 'Order' : `Order for ${exactUsd(total)}`}
      pendingLabel="Ordering…"
      onCancel={onClose}
    >
      <TextInput
        label={`Term in ${product.period}s`}
        inputMode="numeric"
        autoFocus
        autoComplete="off"
        maxLength={4}
        value={term}
        onChange={(event) => setTerm(event.target.value)}
        error={tried ? (termFault(term, product) ?? fieldProblem(problem, 'periods')) : undefined}
      />
      <TextInput
        label="Starts on"
        type="date"
        help="At midnight UTC. Leave it empty to start as soon as it is paid."
        optional
        value={date}
        onChange={(event) => setDate(event.target.value)}
        error={
          tried && start === undefined
            ? 'Enter a date.'
            : tried
              ? fieldProblem(problem, 'starts_at')
              : undefined
        }
      />
      <SelectInput
        label="Pay with"
        help={
          payWith === 'balance'
            ? 'Credits first, then prepaid funds.'
            : payWith === 'stripe'
              ? 'What the balance lacks, on a page of Stripe. The place is kept for two hours.'
              : 'What the balance lacks. The place is kept for five days.'
        }
        value={payWith}
        choices={waysToPay(billing)}
        onChange={(event) => setPayWith(event.target.value as PayWith)}
        error={fieldProblem(problem, 'pay_with')}
      />
      <SwitchInput
        label="Renew automatically"
        help="Off: it ends with its term. On: the next term is charged to the balance a day before."
        checked={renews}
        onChange={(event) => setRenews(event.target.checked)}
      />
      {periods !== null && total !== null && (
        <Sum>
          <strong>{exactUsd(total)}</strong> for {termText(periods, product.period)}, before tax.
        </Sum>
      )}
      <OrderRules rules={product.rules} />
    </FormShell>
  );
}

/** Returns the start that was typed: null for none, undefined if it is no date. */
function startOf(date: string): string | null | undefined {
  if (date === '') return null;
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

const waysToPay = (billing: Billing | undefined): { value: PayWith; label: string }[] => [
  {
    value: 'balance',
    label: billing ? `Balance (${exactUsd(roundedUsd(billing.balance))})` : 'Balance',
  },
  ...(billing?.card_payments ? [{ value: 'stripe' as const, label: 'Card' }] : []),
  { value: 'manual', label: 'Bank transfer' },
];
