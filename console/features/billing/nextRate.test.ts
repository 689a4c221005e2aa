import { expect, it } from 'vitest';
import { nextRate } from './nextRate';

it('says what will be paid once an order has ended', () => {
  const at = new Date(2026, 10, 30, 9, 30).toISOString();
  expect(nextRate({ hourly_rate: '0.00', rate_changes: [{ at, hourly_rate: '0.058' }] })).toBe(
    '$0.058/h from Nov 30, 2026, 09:30',
  );
  expect(nextRate({ hourly_rate: '0.058', rate_changes: [] })).toBeNull();
});
