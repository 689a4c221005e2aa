import { expect, it } from 'vitest';
import type { OrderProduct, Payment } from '../../../../generated/api/types.gen';
import {
  endOf,
  isCoveredAlready,
  missingFor,
  orderedText,
  orderState,
  periodsOf,
  startWord,
  termFault,
  wayToPay,
} from './texts';

const product: OrderProduct = {
  id: 'prd_1',
  name: 'Small for a month',
  description: '',
  instance_type: 'tdx.small',
  vcpu: 1,
  memory_mb: 2048,
  gpus: 0,
  covers: 'cvm',
  period: 'month',
  price: '20.00',
  hourly_rate: '0.058',
  min_periods: 2,
  max_periods: 12,
  refund_percent: 0,
  left: 1,
  starts_at: null,
  ends_at: null,
  version: 1,
  rules: [],
};

it.each([
  ['2', 2],
  [' 12 ', 12],
  ['1', null],
  ['13', null],
  ['-2', null],
  ['2.5', null],
  ['1e1', null],
  ['99999', null],
  ['', null],
])('a term of %j', (text, count) => expect(periodsOf(text, product)).toBe(count));

it('describes the allowed terms', () => {
  expect(termFault('3', product)).toBeUndefined();
  expect(termFault('0', product)).toBe('Enter a number from 2 to 12.');
  expect(termFault('0', { ...product, max_periods: 2 })).toBe('The term is 2 months.');
});

it('says whether the full charge was refunded', () => {
  const word = (refunded: string) =>
    orderState({ state: 'refunded', charged: '6.00', refunded, payment: null }).word;
  expect([word('2.00'), word('6.00')]).toEqual(['Partly refunded', 'Refunded']);
});

const payment: Payment = {
  id: 'pay_1',
  driver: 'manual',
  state: 'pending',
  amount: '8.00',
  received: '0.00',
  returned: '0.00',
  reference: 'TH-7K2M9QXD',
  reason: null,
  waits_for_payer: false,
  created_at: '2026-11-21T09:00:00Z',
  updated_at: '2026-11-21T09:00:00Z',
};

it.each([
  [null, null, 'Waiting for payment'],
  [payment, 'transfer', 'Waiting for payment'],
  [{ ...payment, state: 'part_paid' }, 'transfer', 'Waiting for payment'],
  [{ ...payment, driver: 'stripe', waits_for_payer: true }, 'card', 'Waiting for payment'],
  // Neither can be paid again.
  [{ ...payment, state: 'paid', received: '8.00' }, 'funds', 'Waiting for funds'],
  [{ ...payment, driver: 'stripe', state: 'paid', received: '8.00' }, 'funds', 'Waiting for funds'],
  [{ ...payment, state: 'cancelled' }, null, 'Waiting for payment'],
] as const)('offers to pay an order with %j by %s', (of, way, word) => {
  expect(wayToPay({ payment: of })).toBe(way);
  expect(orderState({ state: 'pending', charged: '0.00', refunded: '0.00', payment: of }).word).toBe(word);
});

it('adds an hour of usage to what an order needs', () => {
  const order = { total: '20.00' };
  expect(missingFor(order, { balance: '19.50', hourly_rate: '0.058' })).toBe('0.558');
  expect(missingFor(order, { balance: '-1.00', hourly_rate: '0.00' })).toBe('21.00');
  expect(missingFor(order, { balance: '30.00', hourly_rate: '0.058' })).toBe('0.00');
});

it('has no end for a canceled order', () => {
  const ends_at = '2026-12-07T00:00:00Z';
  expect(endOf({ state: 'paid', ends_at })).toBe(ends_at);
  for (const state of ['cancelled', 'refunded'] as const) expect(endOf({ state, ends_at })).toBeNull();
});

it('says that an order has started, not that it starts in the past', () => {
  expect(startWord({ state: 'paid' })).toBe('Starts');
  for (const state of ['active', 'ended'] as const) expect(startWord({ state })).toBe('Started');
  for (const state of ['cancelled', 'refunded'] as const) expect(startWord({ state })).toBeNull();
});

it('warns if reservations cover all CVMs of the type when the new one starts', () => {
  const covered = (at: string) => ({ hourly_rate: { after_order: { at } } });
  const free = { hourly_rate: { after_order: null } };
  const until = covered('2026-12-07T00:00:00Z');
  expect(isCoveredAlready([until], null)).toBe(true);
  expect(isCoveredAlready([until], '2026-12-06T00:00:00Z')).toBe(true);
  expect(isCoveredAlready([until], '2026-12-07T00:00:00Z')).toBe(false);
  expect(isCoveredAlready([until, free], null)).toBe(false);
  expect(isCoveredAlready([], null)).toBe(false);
});

it('says that a new reservation covers nothing', () => {
  const order = { total: '3.60', state: 'active', cvm: null, instance_type: 'tdx.small' } as const;
  expect(orderedText(order)).toMatch(
    /^\$3\.60 was charged to the balance\. The reservation doesn’t cover a CVM yet/,
  );
  expect(orderedText({ ...order, state: 'paid' })).toBe('$3.60 was charged to the balance.');
});
