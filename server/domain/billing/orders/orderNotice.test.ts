import { expect, it } from 'vitest';
import { orderNotice, type OrderEventKind } from './orderNotice';

const order = {
  name: 'Small for a day',
  instance_type: 'tdx.small',
  period: 'day',
  periods: 3,
  price_micros: 1_500_000,
  starts_at: new Date('2026-11-27T15:00:00Z'),
  ends_at: new Date('2026-11-30T15:00:00Z'),
  renews: false,
  renew_at: null,
} as const;

const KINDS: OrderEventKind[] = [
  'paid',
  'started',
  'ending',
  'renewed',
  'renewal_failed',
  'ended',
  'cancelled',
  'expired',
];

it.each(KINDS)('the text of %s names the order', (kind) => {
  expect(orderNotice(kind, order, { reason: 'The balance is too low.' }).message).toContain(order.name);
});

it('reads like a sentence, with written-out dates', () => {
  expect(orderNotice('started', order).message).toBe(
    'Small for a day covers a CVM of type tdx.small until November 30, 2026, 15:00 UTC: 3 days for $4.50.',
  );
  expect(orderNotice('cancelled', order, { refund: 4_500_000 })).toMatchObject({
    message: '$4.50 of Small for a day was refunded to the balance.',
    severity: 'info',
  });
  expect(orderNotice('expired', order, { reason: 'Its payment was canceled.' }).message).toBe(
    'The order of Small for a day was canceled. Its payment was canceled. Money that arrives for it is added to the balance.',
  );
});
