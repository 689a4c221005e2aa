import { describe, expect, it } from 'vitest';
import { forecast, monthOf } from './forecast';

const now = new Date('2026-11-21T00:00:00Z');
const { to: end } = monthOf(now);
const when = { now, end };

describe('the forecast of a month', () => {
  it('is what was spent plus the current rate for the rest of it', () => {
    const { expected } = forecast({ spent: 5_000_000, hourly: 58_000, daily: [] }, when);
    expect(expected).toBe(5_000_000 + 58_000 * 240);
  });

  it('has no interval with fewer than seven days', () => {
    expect(forecast({ spent: 0, hourly: 1, daily: [1, 1, 1, 1, 1, 1] }, when).band).toBeNull();
    expect(forecast({ spent: 0, hourly: 1, daily: [1, 1, 1, 1, 1, 1, 1] }, when).band).not.toBeNull();
  });

  it('is certain when every day cost the same, and less certain the more days differ and the more are left', () => {
    const width = (daily: number[], at = now) => {
      const { band } = forecast({ spent: 0, hourly: 1_000_000, daily }, { now: at, end });
      return band!.high - band!.low;
    };
    const equal = Array.from({ length: 14 }, () => 24_000_000);
    const uneven = equal.map((amount, i) => amount + (i % 2) * 1_000_000);
    const wild = equal.map((amount, i) => amount + (i % 2) * 3_000_000);
    expect(width(equal)).toBe(0);
    expect(width(uneven)).toBeGreaterThan(0);
    expect(width(wild)).toBeGreaterThan(width(uneven));
    expect(width(uneven, new Date('2026-11-29T00:00:00Z'))).toBeLessThan(width(uneven));
  });

  it('never falls below what is spent already', () => {
    const daily = [0, 50_000_000, 0, 50_000_000, 0, 50_000_000, 0, 50_000_000];
    const { expected, band } = forecast({ spent: 200_000_000, hourly: 1000, daily }, when);
    expect(band!.low).toBe(200_000_000);
    expect(band!.high).toBeGreaterThan(expected);
  });
});

it('begins and ends months in UTC', () => {
  expect(monthOf(new Date('2026-12-31T23:59:59Z'))).toEqual({
    from: new Date('2026-12-01T00:00:00Z'),
    to: new Date('2027-01-01T00:00:00Z'),
  });
});
