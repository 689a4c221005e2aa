import { expect, it } from 'vitest';
import { debtText } from './debt';
import { moneyRefusal, overdueRefusal } from './funds';

it('the refusal says how far a team is beyond its credit limit', () => {
  expect(moneyRefusal('The team', { balance: -3_000_000, held: 0 })).toBe(
    'The team owes $3.00. Settle it first.',
  );
  expect(moneyRefusal('The team', { balance: -3_000_000, held: 0 }, { cap: 3_000_000 })).toBeNull();
});

it('the refusal says what a balance is set aside for', () => {
  const funds = { balance: 1_000_000, held: 1_500_000 };
  expect(moneyRefusal('The team', funds)).toBe(
    'The team has a balance of $1.00, but $1.50 is set aside for AI requests and refunds in progress. Add funds, or wait until they finish.',
  );
  expect(moneyRefusal('“Acme”', funds, { has_cvms: true })).toBe(
    '“Acme” has a balance of $1.00, but $1.50 is set aside for the first hour of CVMs, and for AI requests and refunds in progress. Add funds, or try again later.',
  );
  expect(moneyRefusal('The team', { ...funds, held: 1_000_000 })).toBeNull();
});

it('an amount due is rounded up, so that paying it settles the debt', () => {
  const team = { slug: 'acme', publicUrl: 'https://cloud.example.test' };
  expect(overdueRefusal(1_231_000, team).message).toContain('$1.24 is due.');
  const dates = { stops_at: new Date(0), deletes_at: new Date(0), stopped_at: null, deleted_at: null };
  expect(debtText('grace', dates, 1_231_000).message).toContain('$1.24 is due.');
  expect(debtText('grace', dates, 5_000_000).message).toContain('$5.00 is due.');
});
