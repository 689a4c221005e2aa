import { exactUsd, formatUsd, roundedUsd } from '../../../lib/billing/money';
import { surcharge, termText, totalOf, usualPrice } from '../../../lib/billing/orderTerms';
import styled from '@emotion/styled';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createOrderMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Billing, CreateOrder, Order, OrderProduct } from '../../../../generated/api/types.gen';
import { takesTransfers } from '../../../lib/billing/waysToPay';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay, useTitleInTeam } from '../../../api/session';
import { useIdempotencyKey } from '../../../api/useIdempotencyKey';
import { useStale } from '../../../api/useStale';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { SwitchInput } from '../../../ui/forms/SwitchInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { color, radius, space, type } from '../../../ui/theme';
import { coverableOptions, ORDERED } from '../queries';
import { useCheckout } from '../checkout/useCheckout';
import { OrderRules } from './OrderRules';
import { isCoveredAlready, orderedText, periodsOf, termFault } from './texts';

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

/** Asks for the term and payment method, with the rules above the button. */
export function OrderForm({ teamSlug, product, billing, onWaiting, onClose }: Props) {
  const [term, setTerm] = useState(String(product.min_periods));
  const [date, setDate] = useState('');
  const [renews, setRenews] = useState(false);
  const [payWith, setPayWith] = useState<PayWith>('balance');
  const [tried, setTried] = useState(false);
  const idempotent = useIdempotencyKey();
  const stale = useStale();
  const toast = useToast();
  const named = useTitleInTeam(teamSlug);
  const checkout = useCheckout(teamSlug);
  const create = useMutation({
    ...createOrderMutation(),
    onSuccess: async (order) => {
      await stale(...ORDERED);
      if (order.payment?.driver === 'stripe') return checkout.mutate(order.payment.id);
      if (order.payment) return onWaiting(order);
      toast({
        tone: 'ok',
        title: named(`${order.name} is ${order.state === 'active' ? 'active' : 'paid'}`),
        message: orderedText(order),
      });
      onClose();
    },
    // Reloads the displayed price, which may have changed on the server.
    onError: () => stale('listOrderProducts'),
  });
  const problem =
    problemOf(create.error, 'Couldn’t place the order') ??
    problemOf(checkout.error, 'Couldn’t open the payment page');
  const periods = periodsOf(term, product);
  const total = periods === null ? null : totalOf(product.price, periods);
  const usual = periods === null ? null : usualPrice(product, periods);
  const more = surcharge(product);
  const start = startOf(date);
  const reads = useMay('cvms.read', teamSlug).allowed;
  const { data: cvms } = useQuery({
    ...coverableOptions(teamSlug, product.instance_type),
    enabled: reads,
  });
  // If there are several pages of CVMs, some may be uncovered.
  const coversNone =
    cvms !== undefined && cvms.total === cvms.items.length && isCoveredAlready(cvms.items, start ?? null);
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
      fields={['periods', 'starts_at', 'pay_with']}
      // Stays pending until the browser has left the page.
      pending={create.isPending || checkout.isPending}
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
        help="At midnight UTC. Leave empty to start once paid."
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
              ? 'On Stripe, you pay what the balance doesn’t cover, including your CVMs for two hours. Capacity is held for that long.'
              : 'You transfer what the balance doesn’t cover, including your CVMs for five days. Capacity is held for that long.'
        }
        value={payWith}
        choices={waysToPay(billing)}
        onChange={(event) => setPayWith(event.target.value as PayWith)}
        error={fieldProblem(problem, 'pay_with')}
      />
      <SwitchInput
        label="Renew automatically"
        help="If on, the next term is charged to the balance a day before it starts. If off, the reservation ends with its term."
        checked={renews}
        onChange={(event) => setRenews(event.target.checked)}
      />
      {coversNone && (
        <Notice
          tone="attention"
          title={`Reservations already cover all your CVMs of type ${product.instance_type}.`}
        >
          This reservation won’t cover a CVM until you deploy another one or another reservation ends.
        </Notice>
      )}
      {more !== null && (
        <Notice tone="attention" title={`Costs ${more}% more than hourly billing.`}>
          You reserve capacity, but you don’t save money.
        </Notice>
      )}
      {periods !== null && total !== null && (
        <Sum>
          <strong>{exactUsd(total)}</strong> for {termText(periods, product.period)}, before tax.
          {usual !== null && ` Running nonstop at the hourly price costs ${formatUsd(usual)}.`}
        </Sum>
      )}
      <OrderRules rules={product.rules} />
    </FormShell>
  );
}

/** Returns the typed start: null for none, undefined if it isn't a date. */
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
  ...(billing && takesTransfers(billing) ? [{ value: 'manual' as const, label: 'Bank transfer' }] : []),
];
