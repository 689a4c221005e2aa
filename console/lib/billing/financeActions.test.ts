import { expect, it } from 'vitest';
import { financeActionName, financeActionTitle, signedAmount } from './financeActions';

const adjustment = (amount: string) => ({
  action: 'adjust_balance' as const,
  amount_micros: 600_000_000,
  body: { team_id: 1, amount, reason: 'A correction' },
});

it('names an adjustment by its sign', () => {
  expect(financeActionTitle(adjustment('-600'), 'Acme')).toBe('Take $600.00 from the balance of Acme');
  expect(financeActionName(adjustment('600.00'), 'Acme')).toBe('Add $600.00 to the balance of Acme');
  expect(signedAmount(adjustment('-600'))).toBe(-600_000_000);
});

it('keeps the amount of other actions unchanged', () => {
  const grant = { action: 'grant_credit' as const, amount_micros: 250_000_000, body: { amount: '-1' } };
  expect(signedAmount(grant)).toBe(250_000_000);
  expect(financeActionTitle(grant, 'Acme')).toBe('Grant a credit to Acme, $250.00');
});
