import { expect, it } from 'vitest';
import { cardText } from './cardText';

it.each([
  ['visa', 'Visa ending in 4242'],
  ['amex', 'American Express ending in 4242'],
  ['unknown', 'Card ending in 4242'],
])('shows the brand %s in its usual spelling', (brand, text) => {
  expect(cardText({ brand, last4: '4242' })).toBe(text);
});
