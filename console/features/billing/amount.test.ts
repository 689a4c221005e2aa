import { guessedUsd, roundedUsd } from '../../lib/billing/money';
import { expect, it } from 'vitest';
import { amountFault, decimalOf, leftOf, paymentFor, roundedUp } from './amount';

it.each([
  ['100', '100'],
  ['$1,250.00', '1250.00'],
  [' 1 000 000 ', '1000000'],
  ['49.5', '49.5'],
])('reads %j', (text, decimal) => {
  expect(decimalOf(text)).toBe(decimal);
  expect(amountFault(text)).toBeUndefined();
});

it.each(['', 'ten', '0.99', '1.001', '1000000.01', '-5', '1,5'])('refuses %j with a reason', (text) =>
  expect(amountFault(text)).toMatch(/\.$/),
);

it.each(['1000000.01', '9999999.99', '99999999999', '999999999999.99'])(
  'says that %s is too much',
  (text) => {
    expect(amountFault(text)).toBe('The largest amount is $1,000,000.');
    expect(amountFault(text, 'stripe')).toBe('The largest amount by card is $10,000.');
  },
);

it.each([
  ['94.999936', '94.99'],
  ['-3.200001', '-3.21'],
  ['0.058', '0.058'],
  ['100.00', '100.00'],
])('rounds %s down to %s', (exact, shown) => expect(roundedUsd(exact)).toBe(shown));

it.each([
  ['0.595929', '$0.60'],
  ['6.954', '$6.95'],
  ['1234.5', '$1,234.50'],
  ['0.0049', '< $0.01'],
  ['0.00', '$0.00'],
])('shows the guess %s as %s', (exact, shown) => expect(guessedUsd(exact)).toBe(shown));

it.each([
  ['12.503421', '12.51', '12.51'],
  ['12.50', '12.50', '12.50'],
  ['0.000001', '0.01', '1.00'],
  ['0.00', '0.00', '1.00'],
])('rounds %s up to %s, which takes a payment of %s', (due, shown, payment) => {
  expect(roundedUp(due)).toBe(shown);
  expect(paymentFor(due)).toBe(payment);
});

it('asks only for the part of a transfer that hasn’t arrived', () => {
  expect(leftOf({ amount: '100.00', received: '0.00' })).toBe('100.00');
  expect(leftOf({ amount: '100.00', received: '60.50' })).toBe('39.50');
  expect(leftOf({ amount: '100.00', received: '120.00' })).toBe('0.00');
});
