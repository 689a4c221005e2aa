import { expect, it } from 'vitest';
import { takesTransfers, topUpDrivers } from './waysToPay';

const bank = { account_holder: 'Example Cloud Ltd', account: 'DE02 1203 0000 0000 2020 51', bank: null };

it('offers a bank transfer only if an account is published or there is no other way', () => {
  expect(topUpDrivers({ card_payments: true, bank_transfer: bank })).toEqual(['stripe', 'manual']);
  expect(topUpDrivers({ card_payments: true, bank_transfer: null })).toEqual(['stripe']);
  expect(topUpDrivers({ card_payments: false, bank_transfer: bank })).toEqual(['manual']);
  expect(topUpDrivers({ card_payments: false, bank_transfer: null })).toEqual(['manual']);
  expect(takesTransfers({ card_payments: false, bank_transfer: null })).toBe(false);
});
