import { expect, it } from 'vitest';
import { overwrites } from './useTypedValues';

const fields = [{ name: 'name' }, { name: 'note' }, { name: 'secret' }];
const was = { id: 1, name: 'a', note: null };

it('detects a conflict if another user changed the same field', () => {
  const now = { ...was, name: 'b' };
  expect(overwrites(fields, { was, now, values: { ...now, name: 'c' } })).toBe(true);
  // Both made the same change.
  expect(overwrites(fields, { was, now, values: { ...now, name: 'b' } })).toBe(false);
});

it('detects none if others changed other fields, or nothing changed', () => {
  const now = { ...was, note: 'new', updated_at: '2026-11-27T10:00:00Z' };
  expect(overwrites(fields, { was, now, values: { ...now, name: 'c', secret: '' } })).toBe(false);
  expect(overwrites(fields, { was, now: was, values: { ...was, name: 'c', secret: 'typed' } })).toBe(false);
});
