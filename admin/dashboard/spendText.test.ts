import { expect, it } from 'vitest';
import { centsText, partsText } from './spendText';

it('rounds sums to the cent', () => {
  expect(centsText('0.097129')).toBe('$0.10');
  expect(centsText('1234.5')).toBe('$1,234.50');
  expect(centsText('-2.006')).toBe('−$2.01');
  expect(centsText('-0.001')).toBe('$0.00');
});

it('splits a month only if it includes more than CVMs', () => {
  expect(partsText({ cvms: '12.5', ai: '0', orders: '0' })).toBeNull();
  expect(partsText({ cvms: '12.5', ai: '3', orders: '0' })).toBe('CVMs $12.50 · AI requests $3.00');
});
