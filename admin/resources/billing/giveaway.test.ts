import { describe, expect, it } from 'vitest';
import type {
  AdminApprovalLimit,
  AdminOrderProduct,
  AdminPromotionCode,
} from '../../../generated/api/types.gen';
import { codeGiveaway, productGiveaway } from './giveaway';

const NOW = new Date('2026-11-28T00:00:00Z');
const limit: AdminApprovalLimit = {
  approval_limit: '100.00',
  moved: '60.00',
  rates: [{ instance_type: 'h200.small', hourly_rate: '3.50', gpu_hourly_rate: '3.00' }],
};

describe('a product being edited', () => {
  const typed = {
    instance_type: 'h200.small',
    covers: 'cvm',
    period: 'day',
    price: '83.00',
    max_periods: 12,
    stock: 1,
  };

  it('shows its discount on the metered price', () => {
    expect(productGiveaway(limit, typed, null, NOW)).toEqual({
      amount_micros: 366_000_000,
      text: 'The metered price is $84.00 per day. Buyers pay up to $366.00 less than that, if all are ordered and renewed for a year, or until the offer ends.',
    });
    expect(productGiveaway(limit, { ...typed, covers: 'gpus' }, null, NOW)?.text).toBe(
      'The metered price is $72.00 per day. This gives nothing away and needs no approval.',
    );
  });

  it('shows nothing until it is complete', () => {
    for (const change of [
      { price: '' },
      { price: '8x' },
      { stock: null },
      { period: undefined },
      { instance_type: '' },
    ])
      expect(productGiveaway(limit, { ...typed, ...change }, null, NOW)).toBeNull();
  });

  it('counts only the additional discount of an existing product, compared at the rate of that time', () => {
    const before = { ...typed, starts_at: null, ends_at: null, state: 'active', compared_rate: '3.50' };
    const saved = before as unknown as AdminOrderProduct;
    expect(productGiveaway(limit, { price: '82.50' }, saved, NOW)).toMatchObject({
      amount_micros: 183_000_000,
      text: expect.stringContaining('Buyers pay up to $183.00 less than before'),
    });
    for (const change of [{}, { price: '90.00' }, { state: 'retired' }])
      expect(productGiveaway(limit, change, saved, NOW)).toMatchObject({
        amount_micros: 0,
        text: expect.stringContaining('no more than before'),
      });
    // A rate that has been raised since makes the same price a discount.
    const cheaper = { ...saved, compared_rate: '3.458334' };
    expect(productGiveaway(limit, {}, cheaper, NOW)?.amount_micros).toBeGreaterThan(365_000_000);
  });
});

describe('a promotion code being edited', () => {
  it('shows its maximum value', () => {
    expect(codeGiveaway({ amount: '5', max_uses: 10 }, null, NOW)).toEqual({
      amount_micros: 50_000_000,
      text: 'The code can grant up to $50.00.',
    });
    expect(codeGiveaway({ percent: 10, cap: '5' }, null, NOW)?.text).toContain('$5,000,000.00');
    expect(codeGiveaway({ amount: '', max_uses: 10 }, null, NOW)).toBeNull();
  });

  it('counts only the additional value of an existing code', () => {
    const saved = { amount: '5.00', cap: null, uses: 2, max_uses: 10, max_uses_per_team: 1, state: 'active' };
    const before = { ...saved, new_teams_days: null, credit_days: null } as unknown as AdminPromotionCode;
    expect(codeGiveaway({ max_uses: 12 }, before, NOW)?.text).toBe('The code can grant up to $10.00 more.');
    expect(codeGiveaway({ max_uses_per_team: 2 }, before, NOW)?.amount_micros).toBe(40_000_000);
    expect(codeGiveaway({ state: 'retired' }, before, NOW)?.amount_micros).toBe(0);
  });
});
