import { describe, expect, it } from 'vitest';
import { codeWorth, discountOf, widenedWorth } from './worth';

const NOW = new Date('2026-11-25T00:00:00Z');
const day = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
const DOLLAR = 1_000_000;
const code = {
  state: 'active' as const,
  starts_at: null,
  ends_at: null as Date | null,
  amount_micros: (10 * DOLLAR) as number | null,
  cap_micros: null as number | null,
  max_uses: 20 as number | null,
  uses: 5,
  max_uses_per_team: 1 as number | null,
  new_teams_days: 30 as number | null,
  credit_days: 90 as number | null,
};

describe('a promotion code', () => {
  it('is worth the value of one use times its remaining redemptions', () => {
    expect(codeWorth(code, NOW)).toBe(150 * DOLLAR);
    expect(codeWorth({ ...code, amount_micros: null, cap_micros: 4 * DOLLAR }, NOW)).toBe(60 * DOLLAR);
    expect(codeWorth({ ...code, state: 'retired' }, NOW)).toBe(0);
    expect(codeWorth({ ...code, ends_at: NOW }, NOW)).toBe(0);
    expect(codeWorth({ ...code, max_uses: null }, NOW)).toBeGreaterThan(1_000_000 * DOLLAR);
    expect(
      Number.isSafeInteger(codeWorth({ ...code, amount_micros: 1_000_000 * DOLLAR, max_uses: null }, NOW)),
    ).toBe(true);
  });

  it('counts only the added uses', () => {
    expect(widenedWorth(code, { ...code, max_uses: 23 }, NOW)).toBe(30 * DOLLAR);
    expect(widenedWorth(code, { ...code, max_uses: 10 }, NOW)).toBe(0);
  });

  it.each([
    ['for longer', { ends_at: day(5) }, { ends_at: day(9) }],
    ['after its end', { ends_at: day(-1) }, { ends_at: null }],
    ['from an earlier day', { starts_at: day(9) }, { starts_at: day(1) }],
    ['more often by a team', {}, { max_uses_per_team: 2 }],
    ['by older teams', {}, { new_teams_days: null }],
    ['with credit for longer', {}, { credit_days: null }],
    ['again', { state: 'retired' as const }, { state: 'active' as const }],
  ])('counts the whole remaining worth once it can be redeemed %s', (_, before, after) => {
    const old = { ...code, ...before };
    expect(widenedWorth(old, { ...old, ...after }, NOW)).toBe(150 * DOLLAR);
  });

  it.each([
    ['retired', { state: 'retired' as const }],
    ['for a shorter time', { ends_at: day(1) }],
    ['only by new teams', { new_teams_days: 3 }],
  ])('counts nothing if it is redeemed %s', (_, after) => {
    expect(widenedWorth(code, { ...code, ...after }, NOW)).toBe(0);
  });
});

describe('a product', () => {
  const product = {
    state: 'active' as const,
    starts_at: null,
    ends_at: null,
    covers: 'cvm' as const,
    period: 'day' as const,
    price_micros: 20 * DOLLAR,
    max_periods: 3,
    stock: 2,
  };
  const rates = { hourly_rate_micros: DOLLAR, gpu_rate_micros: DOLLAR / 2 };

  it('gives away its discount on the metered price, for the term or a year of renewals', () => {
    expect(discountOf(product, rates, NOW)).toBe(4 * 366 * 2 * DOLLAR);
    const months = { ...product, period: 'month' as const, price_micros: 740 * DOLLAR };
    expect(discountOf({ ...months, max_periods: 1 }, rates, NOW)).toBe(4 * 12 * 2 * DOLLAR);
    expect(discountOf({ ...months, max_periods: 36 }, rates, NOW)).toBe(4 * 36 * 2 * DOLLAR);
    expect(discountOf({ ...product, price_micros: 24 * DOLLAR }, rates, NOW)).toBe(0);
    expect(discountOf({ ...product, covers: 'gpus', price_micros: 10 * DOLLAR }, rates, NOW)).toBe(
      2 * 366 * 2 * DOLLAR,
    );
    expect(discountOf({ ...product, state: 'retired' }, rates, NOW)).toBe(0);
    expect(discountOf({ ...product, ends_at: NOW }, rates, NOW)).toBe(0);
  });

  it('is renewed only as long as it is offered', () => {
    const until = (ends_at: Date, starts_at: Date | null = null) =>
      discountOf({ ...product, starts_at, ends_at }, rates, NOW);
    expect(until(day(10))).toBe(4 * 10 * 2 * DOLLAR);
    expect(until(day(10), day(8))).toBe(4 * 2 * 2 * DOLLAR);
    expect(until(day(1000))).toBe(4 * 366 * 2 * DOLLAR);
  });
});
