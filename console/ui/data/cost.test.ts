import { expect, it } from 'vitest';
import { dollars } from './Cost';

it('keeps every digit of a small price and two decimals of a round one', () => {
  expect(dollars('0.000016')).toBe('$0.000016');
  expect(dollars('0.058')).toBe('$0.058');
  expect(dollars('3')).toBe('$3.00');
  expect(dollars('12.500000')).toBe('$12.50');
});
it('groups thousands and marks negative amounts', () => {
  expect(dollars('-1234567.8')).toBe('−$1,234,567.80');
});
it('shows invalid input unchanged instead of NaN', () => {
  expect(dollars('n/a')).toBe('n/a');
});
