import { expect, it } from 'vitest';
import { overwrites } from './useTypedValues';

const fields = [{ name: 'name' }, { name: 'note' }, { name: 'secret' }];
const was = { id: 1, name: 'a', note: null };

it('is a conflict if someone else changed the field that the user changed', () => {
  const now = { ...was, name: 'b' };
  expect(overwrites(fields, { was, now, values: { ...now, name: 'c' } })).toBe(true);
  // Both wrote the same.
  expect(overwrites(fields, { was, now, values: { ...now, name: 'b' } })).toBe(false);
});

it('is none if others changed other fields, or nobody changed anything', () => {
  const now = { ...was, note: 'new', updated_at: '2026-11-27T10:00:00Z' };
  expect(overwrites(fields, { was, now, values: { ...now, name: 'c', secret: '' } })).toBe(false);
  expect(overwrites(fields, { was, now: was, values: { ...was, name: 'c', secret: 'typed' } })).toBe(false);
});
