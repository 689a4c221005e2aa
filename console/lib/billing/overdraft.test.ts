import { expect, it } from 'vitest';
import { overdraftText } from './overdraft';

it('explains overdrawn prepaid funds that credits offset', () => {
  expect(overdraftText({ prepaid: '-90.00', balance: '115.49' })).toBe(
    'Usage and reversals exceeded prepaid funds. Credits offset the missing $90.00, and your next payment covers it first.',
  );
});

it('says nothing if there are funds or a debt', () => {
  expect(overdraftText({ prepaid: '0.00', balance: '0.00' })).toBeNull();
  expect(overdraftText({ prepaid: '-90.00', balance: '-0.01' })).toBeNull();
});
