import { expect, it } from 'vitest';
import { endOf, isUsedUp, rotationEffects } from './keyState';

it('detects an exhausted budget to the last digit', () => {
  expect(isUsedUp({ budget: '3.00', budget_used: '2.9999999' })).toBe(false);
  expect(isUsedUp({ budget: '3.00', budget_used: '3.00' })).toBe(true);
  expect(isUsedUp({ budget: '3.00', budget_used: '3.0049' })).toBe(true);
  expect(isUsedUp({ budget: null, budget_used: '100.00' })).toBe(false);
});

it('distinguishes ended keys from those that only wait', () => {
  expect(endOf({ revoked_at: null, expires_at: null })).toBeNull();
  expect(endOf({ revoked_at: null, expires_at: '2020-01-01T00:00:00Z' })).toBe('expired');
  expect(endOf({ revoked_at: '2020-01-01T00:00:00Z', expires_at: '2020-01-01T00:00:00Z' })).toBe('revoked');
});

it('warns that a second rotation ends the secret that the first one kept valid', () => {
  const warning = /The older secret, .* stops working immediately\./;
  expect(rotationEffects({ previous_secret_until: null }).join()).not.toMatch(warning);
  expect(rotationEffects({ previous_secret_until: '2026-11-30T10:00:00Z' }).join()).toMatch(warning);
});
