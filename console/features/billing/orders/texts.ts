import type { Billing, Order, OrderProduct, OrderState } from '../../../../generated/api/types.gen';
import { allows, OPEN_ORDER } from '../../../lib/billing/allowedActions';
import { exactUsd, formatMicros, parseMicros } from '../../../lib/billing/money';
import { termText } from '../../../lib/billing/orderTerms';
import type { StatusInfo } from '../../../ui/feedback/status';

const STATES: Readonly<Record<OrderState, StatusInfo>> = {
  pending: { tone: 'attention', glyph: 'dot', word: 'Waiting for payment' },
  paid: { tone: 'progress', glyph: 'dot', word: 'Starts later' },
  active: { tone: 'ok', glyph: 'check', word: 'Active' },
  ended: { tone: 'neutral', glyph: 'archived', word: 'Ended' },
  cancelled: { tone: 'neutral', glyph: 'cross', word: 'Canceled' },
  refunded: { tone: 'neutral', glyph: 'cross', word: 'Refunded' },
};

export function orderState(order: Pick<Order, 'state' | 'charged' | 'refunded' | 'payment'>): StatusInfo {
  const { state, charged, refunded } = order;
  if (state === 'refunded' && (parseMicros(refunded) ?? 0) < (parseMicros(charged) ?? 0))
    return { ...STATES.refunded, word: 'Partly refunded' };
  return wayToPay(order) === 'funds' ? { ...STATES.pending, word: 'Waiting for funds' } : STATES[state];
}

/**
 * Returns how an unpaid order can be paid; null if it isn't waiting for payment. `funds`: its payment has
 * arrived, but the balance doesn't cover the order.
 */
export function wayToPay({ payment }: Pick<Order, 'payment'>): 'transfer' | 'card' | 'funds' | null {
  if (payment === null) return null;
  const { driver, state, waits_for_payer } = payment;
  if (driver === 'manual' && (state === 'pending' || state === 'part_paid')) return 'transfer';
  if (waits_for_payer) return 'card';
  return state === 'paid' || state === 'part_paid' ? 'funds' : null;
}

/** Returns what an order needs in addition to the balance, with an hour of usage until it arrives. */
export function missingFor(
  { total }: Pick<Order, 'total'>,
  { balance, hourly_rate }: Pick<Billing, 'balance' | 'hourly_rate'>,
): string {
  const [needed = 0, has = 0, hourly = 0] = [total, balance, hourly_rate].map((usd) => parseMicros(usd) ?? 0);
  return formatMicros(Math.max(0, needed - has + hourly));
}

/** Returns the typed number of periods; null if the product has no such term. */
export function periodsOf(text: string, { min_periods, max_periods }: OrderProduct): number | null {
  if (!/^\d{1,4}$/.test(text.trim())) return null;
  const count = Number(text.trim());
  return count >= min_periods && count <= max_periods ? count : null;
}

export const termFault = (text: string, product: OrderProduct): string | undefined =>
  periodsOf(text, product) !== null
    ? undefined
    : product.min_periods === product.max_periods
      ? `The term is ${termText(product.min_periods, product.period)}.`
      : `Enter a number from ${product.min_periods} to ${product.max_periods}.`;

/** Returns when an order ends; null if unknown, or if it was canceled and never reached its end. */
export const endOf = ({ state, ends_at }: Pick<Order, 'state' | 'ends_at'>): string | null =>
  state === 'cancelled' || state === 'refunded' ? null : ends_at;

export const isOpen = ({ state }: Order): boolean => allows(OPEN_ORDER, state);

/** Returns the word before an order's start time; null for a canceled order. */
export const startWord = ({ state }: Pick<Order, 'state'>): 'Starts' | 'Started' | null => {
  if (state === 'cancelled' || state === 'refunded') return null;
  return state === 'active' || state === 'ended' ? 'Started' : 'Starts';
};

/** The fields of a CVM that an order could cover. */
type Coverable = { hourly_rate: { after_order: { at: string } | null } };

/**
 * Returns whether a new order would cover no CVM of its type, because other orders cover all of them when it
 * starts.
 * @param start null for now
 */
export const isCoveredAlready = (cvms: readonly Coverable[], start: string | null): boolean =>
  cvms.length > 0 &&
  cvms.every(
    ({ hourly_rate: { after_order } }) =>
      after_order !== null && (start === null || Date.parse(after_order.at) > Date.parse(start)),
  );

/** Returns the message after an order was paid from the balance. */
export const orderedText = ({
  total,
  state,
  cvm,
  instance_type,
}: Pick<Order, 'total' | 'state' | 'cvm' | 'instance_type'>): string =>
  `${exactUsd(total)} was charged to the balance.${state === 'active' && cvm === null ? ` The reservation doesn’t cover a CVM yet. It will cover your next uncovered CVM of type ${instance_type}.` : ''}`;
