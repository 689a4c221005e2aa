import { expect, test } from 'vitest';
import { roleFaults } from './ssoState';

const rule = (value: string) => ({ value, role: 'member' as const });

test('keeps a role rule without a value from vanishing on save', () => {
  const faults = roleFaults({ role_claim: 'groups', role_rules: [rule('dev'), rule(' ')] });
  expect(faults).toEqual({ claim: false, rules: [false, true] });
});

test('requires the claim once there is a rule', () => {
  expect(roleFaults({ role_claim: null, role_rules: [rule('dev')] }).claim).toBe(true);
  expect(roleFaults({ role_claim: '', role_rules: [] }).claim).toBe(false);
});
