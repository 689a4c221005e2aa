import { expect, it } from 'vitest';
import type { OrderProduct } from '../../../generated/api/types.gen';
import { comparedText, saving, surcharge, termsText, totalOf, usualPrice } from './orderTerms';

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

it('sums a term exactly', () => {
  expect(totalOf('19.99', 3)).toBe('59.97');
  expect(totalOf('nothing', 3)).toBeNull();
});

it('compares with the usual price for the shortest month', () => {
  // 28 × 24 × 0.058 = 38.976.
  expect(saving(product)).toBe(48);
  expect(saving({ ...product, price: '38.98' })).toBeNull();
  expect(saving({ ...product, hourly_rate: '0.00' })).toBeNull();
});

it('says when a term costs more than hourly billing', () => {
  const day: OrderProduct = { ...product, period: 'day', price: '1.50' };
  expect([saving(day), surcharge(day), usualPrice(day, 3)]).toEqual([null, 8, 3 * 1_392_000]);
  expect(surcharge({ ...day, price: '2.00' })).toBe(44);
  expect(surcharge({ ...day, price: '2.784' })).toBe(100);
  expect(surcharge({ ...day, price: '1.392' })).toBeNull();
  // More than for a February, less than for a longer month.
  const month: OrderProduct = { ...product, price: '40.00' };
  expect([saving(month), surcharge(month)]).toEqual([null, null]);
  expect(surcharge({ ...product, hourly_rate: '0.00' })).toBeNull();
});

it('names the terms, and their price compared with hourly billing', () => {
  expect(termsText(product)).toBe('2 to 12 months');
  expect(termsText({ ...product, min_periods: 1, max_periods: 1, period: 'day' })).toBe('1 day');
  expect(comparedText(product)).toBe('48% less');
  expect(comparedText({ ...product, price: '40.00' })).toBe('—');
  expect(comparedText({ ...product, price: '80.00' })).toBe('86% more');
});
