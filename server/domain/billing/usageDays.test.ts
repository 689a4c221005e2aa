import { describe, expect, it } from 'vitest';
import { amountWithin } from './metering';
import { daysOf, splitByDay, wholeDays } from './usageDays';

const at = (text: string) => new Date(text);
const line = (from: string, to: string, rate_micros = 58_000, carry = 0) => ({
  from: at(from),
  to: at(to),
  rate_micros,
  carry,
});

describe('a line split at midnight UTC', () => {
  const window = { from: at('2026-11-01T00:00:00Z'), to: at('2026-12-01T00:00:00Z') };

  it('check 13: has one second on each side of it', () => {
    const parts = splitByDay(line('2026-11-09T23:59:59Z', '2026-11-10T00:00:01Z', 3_600_000), window);
    expect(parts).toEqual([
      { day: at('2026-11-09T00:00:00Z'), seconds: 1, amount_micros: 1000 },
      { day: at('2026-11-10T00:00:00Z'), seconds: 1, amount_micros: 1000 },
    ]);
  });

  it('adds up to its amount, for any rate, remainder and length', () => {
    for (let i = 0; i < 500; i += 1) {
      const from = window.from.getTime() + ((i * 7919) % 86_400) * 1000;
      const one = {
        from: new Date(from),
        to: new Date(from + ((i * 104_729) % 1_000_000) * 1000),
        rate_micros: i % 3 === 0 ? -(i * 31 + 7) : i * 977 + 1,
        carry: (i * 13) % 3600,
      };
      const parts = splitByDay(one, window);
      expect(parts.reduce((sum, { amount_micros }) => sum + amount_micros, 0)).toBe(
        amountWithin(one, window),
      );
    }
  });

  it('is cut at the window, and negative if it reverses another', () => {
    const parts = splitByDay(line('2026-10-31T12:00:00Z', '2026-11-01T01:00:00Z', -58_000), window);
    expect(parts).toMatchObject([{ day: window.from, seconds: -3600, amount_micros: -58_000 }]);
  });
});

it('extends a window to whole days, but not into the future', () => {
  const now = at('2026-11-21T09:10:00Z');
  expect(wholeDays({ from: at('2026-11-20T05:00:00Z'), to: at('2026-11-20T06:00:00Z') }, now)).toEqual({
    from: at('2026-11-20T00:00:00Z'),
    to: at('2026-11-21T00:00:00Z'),
  });
  const today = wholeDays({ from: at('2026-11-20T05:00:00Z'), to: now }, now);
  expect(today.to).toEqual(now);
  expect(daysOf(today)).toEqual([at('2026-11-20T00:00:00Z'), at('2026-11-21T00:00:00Z')]);
});
