import { describe, expect, it } from 'vitest';
import { rateSteps, runway } from '../../../console/lib/billing/money';
import { aiAhead, cvmAhead, cvmRateChanges, forecast, inOrder, monthOf, renewalsUntil } from './forecast';

const now = new Date('2026-11-21T00:00:00Z');
const { to: end } = monthOf(now);
const when = { now, end };

describe('the forecast of a month', () => {
  it('is the amount spent plus the expected cost of the rest', () => {
    const { expected } = forecast({ spent: 5_000_000, ahead: 58_000, daily: [] }, when);
    expect(expected).toBe(5_058_000);
  });

  it('has no interval with fewer than seven days', () => {
    expect(forecast({ spent: 0, ahead: 1, daily: [1, 1, 1, 1, 1, 1] }, when).band).toBeNull();
    expect(forecast({ spent: 0, ahead: 1, daily: [1, 1, 1, 1, 1, 1, 1] }, when).band).not.toBeNull();
  });

  it('is certain when every day cost the same, and less certain the more days vary and the more are left', () => {
    const width = (daily: number[], at = now) => {
      const { band } = forecast({ spent: 0, ahead: 240_000_000, daily }, { now: at, end });
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

  it('never falls below the amount already spent', () => {
    const daily = [0, 50_000_000, 0, 50_000_000, 0, 50_000_000, 0, 50_000_000];
    const { expected, band } = forecast({ spent: 200_000_000, ahead: 240_000, daily }, when);
    expect(band!.low).toBe(200_000_000);
    expect(band!.high).toBeGreaterThan(expected);
  });
});

const change = {
  status: 'running',
  vcpu: 1,
  memory_mb: 2048,
  disk_gb: 20,
  hourly_rate_micros: 58_000,
  gpu_rate_micros: 0,
  disk_rate_micros: 0,
  at: new Date('2026-11-01T00:00:00Z'),
  order_id: null,
  covers: null,
  covered_until: null,
};

describe('the rest of a month', () => {
  it('charges a CVM its current rate, and nothing while an order covers it', () => {
    expect(cvmAhead(change, 'size', { ...when, renews: false })).toBe(58_000 * 240);
    const covered = {
      ...change,
      order_id: 1,
      covers: 'cvm' as const,
      covered_until: new Date('2026-11-25T00:00:00Z'),
    };
    expect(cvmAhead(covered, 'size', { ...when, renews: false })).toBe(58_000 * 144);
    expect(cvmAhead(covered, 'size', { ...when, renews: true })).toBe(0);
    expect(cvmAhead({ ...change, status: 'stopped' }, 'disk', { ...when, renews: false })).toBe(2_000 * 240);
  });

  it('extrapolates AI requests from the last seven days, or the days since the first', () => {
    const since = (first: string | null) => ({
      used: 7_000_000,
      first: first === null ? null : new Date(first),
    });
    expect(aiAhead(since('2026-01-01T00:00:00Z'), when)).toBe(10_000_000);
    expect(aiAhead(since('2026-11-19T00:00:00Z'), when)).toBe(35_000_000);
    // An hour ago.
    expect(aiAhead(since('2026-11-20T23:00:00Z'), when)).toBe(70_000_000);
    expect(aiAhead(since(null), when)).toBe(0);
  });

  it('charges each renewal due in it', () => {
    const month = { period: 'month' as const, periods: 1, price_micros: 20_000_000, terms: 1 };
    expect(renewalsUntil({ ...month, starts_at: new Date('2026-10-28T00:00:00Z') }, end)).toBe(20_000_000);
    // Renewed a day before its end.
    expect(renewalsUntil({ ...month, starts_at: new Date('2026-11-01T12:00:00Z') }, end)).toBe(20_000_000);
    expect(renewalsUntil({ ...month, starts_at: new Date('2026-11-05T00:00:00Z') }, end)).toBe(0);
    const days = { period: 'day' as const, periods: 2, price_micros: 1_000_000, terms: 3 };
    // The third term ends on the 22nd; those of the 22nd, 24th, 26th, 28th and 30th follow.
    expect(renewalsUntil({ ...days, starts_at: new Date('2026-11-16T00:00:00Z') }, end)).toBe(5 * 2_000_000);
  });
});

describe('changes of the hourly rate', () => {
  const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
  const binned = { basis: 'disk' as const, change: { ...change, status: 'stopped' }, hourly: 2_000 };
  const kept = { now, renews: false, purge_at: hours(24) };

  it('end with a disk in the recycle bin, so that the balance outlasts it', () => {
    const changes = cvmRateChanges(binned, kept);
    expect(changes).toEqual([{ at: hours(24), more: -2_000 }]);
    const running = 58_000;
    // The disk takes a day's worth of its rate, and nothing after that.
    const balance = 24 * 2_000 + 100 * running;
    expect(runway(balance, running + 2_000, rateSteps(changes, now))).toBe(100 * 3600);
    expect(runway(balance, 2_000, rateSteps(changes, now))).toBeNull();
    // Used up before that.
    expect(runway(2_000, 2_000, rateSteps(changes, now))).toBe(3600);
  });

  it('rise when an order ends and fall by all of it when the disk is destroyed', () => {
    const covered = (until: Date) => ({
      ...binned,
      hourly: 0,
      change: { ...binned.change, order_id: 1, covers: 'cvm' as const, covered_until: until },
    });
    expect(cvmRateChanges(covered(hours(6)), kept)).toEqual([
      { at: hours(6), more: 2_000 },
      { at: hours(24), more: -2_000 },
    ]);
    expect(cvmRateChanges(covered(hours(48)), kept)).toEqual([]);
    expect(cvmRateChanges(covered(hours(6)), { ...kept, renews: true })).toEqual([]);
  });

  it('do not include a fall while an overdue disk still exists', () => {
    expect(cvmRateChanges(binned, { ...kept, purge_at: hours(-1) })).toEqual([]);
    expect(cvmRateChanges(binned, { ...kept, purge_at: undefined })).toEqual([]);
  });

  it('are limited in number; the earliest keeps the rises, the latest the falls', () => {
    const changes = [1, 2, 3, 4, 5, 6].map((hour) => ({ at: hours(hour), more: hour % 2 ? 10 : -1 }));
    expect(inOrder(changes.toReversed(), 6)).toEqual(changes);
    expect(inOrder(changes, 4)).toEqual([
      { at: hours(1), more: 10 },
      { at: hours(2), more: -1 },
      { at: hours(3), more: 20 },
      { at: hours(6), more: -2 },
    ]);
    expect(inOrder([...changes, { at: hours(1), more: 5 }], 6)[0]).toEqual({ at: hours(1), more: 15 });
  });
});

it('start and end months in UTC', () => {
  expect(monthOf(new Date('2026-12-31T23:59:59Z'))).toEqual({
    from: new Date('2026-12-01T00:00:00Z'),
    to: new Date('2027-01-01T00:00:00Z'),
  });
});
