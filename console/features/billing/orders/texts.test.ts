import { expect, it } from 'vitest';
import type { OrderProduct } from '../../../../generated/api/types.gen';
import { periodsOf, saving, termFault, totalOf } from './texts';

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

it.each([
  ['2', 2],
  [' 12 ', 12],
  ['1', null],
  ['13', null],
  ['-2', null],
  ['2.5', null],
  ['1e1', null],
  ['99999', null],
  ['', null],
])('a term of %j', (text, count) => expect(periodsOf(text, product)).toBe(count));

it('says what a term can be', () => {
  expect(termFault('3', product)).toBeUndefined();
  expect(termFault('0', product)).toBe('Enter a number from 2 to 12.');
  expect(termFault('0', { ...product, max_periods: 2 })).toBe('The term is 2 months.');
});

it('sums a term exactly', () => {
  expect(totalOf('19.99', 3)).toBe('59.97');
  expect(totalOf('nothing', 3)).toBeNull();
});

it('compares with the usual price of the shortest month', () => {
  // 28 × 24 × 0.058 = 38.976.
  expect(saving(product)).toBe(48);
  expect(saving({ ...product, price: '38.98' })).toBeNull();
  expect(saving({ ...product, hourly_rate: '0.00' })).toBeNull();
});
