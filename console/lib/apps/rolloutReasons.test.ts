import { expect, it } from 'vitest';
import document from '../../../generated/openapi.json';
import type { RolloutItem } from '../../../generated/api/types.gen';
import {
  hasDetail,
  isUnconfirmed,
  reasonIn,
  reasonText,
  updatedText,
  type RolloutReason,
} from './rolloutReasons';

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

it('adds what else is known about a reason', () => {
  expect(reasonText('update_failed', 'Kernel panic.')).toBe('Its update failed. Kernel panic.');
  expect(reasonText('update_failed')).toBe('Its update failed.');
  expect(ALL.filter(hasDetail)).toEqual([
    'budget_used_up',
    'update_failed',
    'update_canceled',
    'in_error',
    'not_healthy',
    'evidence_failed',
    'rollback_failed',
  ]);
});

it('drops a stored reason that another version of the server left or wrote', () => {
  const fitting = (state: RolloutItem['state']) =>
    new Set(ALL.filter((reason) => reasonIn(state, reason) === reason));
  const unconfirmed = ['starts_later', 'check_skipped', 'stopped_before_check'];
  const failed = fitting('failed');
  expect(fitting('updated')).toEqual(new Set(unconfirmed));
  expect(fitting('reverted')).toEqual(new Set([...unconfirmed, ...failed]));
  expect(fitting('reverting')).toEqual(fitting('reverted'));
  // Every reason fits a state, and only this one fits two of these.
  const fits = [...fitting('updated'), ...failed, ...fitting('skipped')];
  expect(fits.toSorted()).toEqual([...ALL, 'lost'].toSorted());
  expect(fitting('checking')).toEqual(new Set());
  for (const other of [null, 'of_a_later_version', 'toString']) expect(reasonIn('updated', other)).toBeNull();
});

it('recognizes an unconfirmed CVM by its reason, or by its message in rollouts of earlier versions', () => {
  const message = 'Any text.';
  expect(isUnconfirmed({ state: 'updated', reason: 'check_skipped', message })).toBe(true);
  expect(isUnconfirmed({ state: 'updated', reason: null, message })).toBe(true);
  expect(isUnconfirmed({ state: 'updated', reason: null, message: null })).toBe(false);
  expect(isUnconfirmed({ state: 'reverted', reason: 'check_skipped', message })).toBe(false);
});
