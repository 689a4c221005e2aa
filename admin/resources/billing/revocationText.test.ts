import { expect, it } from 'vitest';
import { revocationText } from './revocationText';

it('names the team, the original amount and the loss before a credit is revoked', () => {
  const text = (remaining: string) => revocationText({ amount: '25', remaining }, 'Acme');
  expect(text('12.5')).toBe('Acme loses the remaining $12.50 of the $25.00 it was granted.');
  expect(text('25.00')).toBe('Acme loses all of the $25.00 it was granted.');
  expect(text('0')).toBe('Acme has used all of the $25.00 it was granted.');
});
