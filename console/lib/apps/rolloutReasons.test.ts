import { expect, it } from 'vitest';
import document from '../../../generated/openapi.json';
import { isUnconfirmed, reasonIn, reasonText, updatedText, type RolloutReason } from './rolloutReasons';

const ALL = document.components.schemas.RolloutItemReason.enum as RolloutReason[];

it('has a sentence for every reason in the API', () => {
  for (const reason of ALL) expect(reasonText(reason)).toMatch(/^[A-Z].*[.]$/);
});

it('tells in an event why an updated CVM wasn’t observed healthy', () => {
  expect(updatedText('web', 3, null)).toBe('“web” runs revision 3');
  expect(updatedText('web', 3, 'stopped_before_check')).toBe(
    '“web” has revision 3 but was stopped before it was confirmed healthy',
  );
});

it('drops a stored reason that another version of the server left or wrote', () => {
  expect(ALL.filter((reason) => reasonIn('skipped', reason) === reason)).toEqual([
    'deleted',
    'lost',
    'rollout_failed',
    'rollout_canceled',
  ]);
  for (const state of ['updated', 'reverting', 'reverted'] as const)
    expect(ALL.filter((reason) => reasonIn(state, reason) === reason)).toEqual([
      'starts_later',
      'check_skipped',
      'stopped_before_check',
    ]);
  expect(ALL.filter((reason) => reasonIn('failed', reason) !== null)).toEqual([]);
  for (const other of [null, 'of_a_later_version', 'toString']) expect(reasonIn('updated', other)).toBeNull();
});

it('recognizes an unconfirmed CVM by its reason, or by its message in rollouts of earlier versions', () => {
  const message = 'Any text.';
  expect(isUnconfirmed({ state: 'updated', reason: 'check_skipped', message })).toBe(true);
  expect(isUnconfirmed({ state: 'updated', reason: null, message })).toBe(true);
  expect(isUnconfirmed({ state: 'updated', reason: null, message: null })).toBe(false);
  expect(isUnconfirmed({ state: 'reverted', reason: 'check_skipped', message })).toBe(false);
});
