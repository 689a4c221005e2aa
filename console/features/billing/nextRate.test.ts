import { expect, it } from 'vitest';
import { balanceLasts, nextRate } from './nextRate';

it('returns the rate after an order ends', () => {
  const at = new Date(2026, 10, 30, 9, 30).toISOString();
  expect(nextRate({ hourly_rate: '0.00', rate_changes: [{ at, hourly_rate: '0.058' }] })).toBe(
    '$0.058/h from Nov 30, 2026, 09:30',
  );
  expect(nextRate({ hourly_rate: '0.058', rate_changes: [] })).toBeNull();
});

it('returns the rate after a disk in the recycle bin is destroyed', () => {
  const at = new Date(2026, 10, 30, 9, 30).toISOString();
  const falls = (hourly_rate: string) =>
    nextRate({ hourly_rate: '0.06', rate_changes: [{ at, hourly_rate }] });
  expect(falls('-0.002')).toBe('$0.058/h from Nov 30, 2026, 09:30');
  expect(falls('-0.06')).toBe('$0.00/h from Nov 30, 2026, 09:30');
});

it('says that costs end before the balance does', () => {
  expect(balanceLasts({ hourly_rate: '0.002', runway_seconds: null })).toBe('Covers all current costs');
  expect(balanceLasts({ hourly_rate: '0.00', runway_seconds: null })).toBe('No running costs');
  expect(balanceLasts({ hourly_rate: '0.058', runway_seconds: 90_000 })).toBe('1 d 1 h');
});
