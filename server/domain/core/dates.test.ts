import { expect, it } from 'vitest';
import { shortUtcDay, utcDay, utcMinute, utcMonth, utcSpan } from './dates';

const from = new Date('2026-11-02T23:00:00Z');

it('writes dates in UTC, in words that no locale reads differently', () => {
  expect(utcDay(from)).toBe('November 2, 2026');
  expect(shortUtcDay(from)).toBe('Nov 2, 2026');
  expect(utcMinute(from)).toBe('November 2, 2026, 23:00 UTC');
  expect(utcMonth(from)).toBe('November 2026');
});

it('names an hour by its first day', () => {
  expect(utcSpan(from, new Date('2026-11-03T00:00:00Z'))).toBe('November 2, 2026, 23:00 to 00:00 UTC');
});
