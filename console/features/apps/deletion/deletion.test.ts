import { describe, expect, it } from 'vitest';
import { instantOf, ownZone, wallOf } from '../../../lib/time/zonedTime';
import { AT, DELETIONS, deletionFault, neverDeleted, toDeletion } from './deletion';

const now = Date.parse('2026-11-28T12:00:30Z');
const at = (delete_at: string) => ({ delete_after: AT, delete_at });
const wall = (time: string) => wallOf(new Date(time), ownZone());

describe('scheduled deletion of a new CVM', () => {
  it('is off unless the user chooses a time', () => {
    expect(toDeletion(neverDeleted, now)).toEqual({});
    expect(deletionFault(neverDeleted, now)).toBeNull();
    // A draft from another version.
    expect(toDeletion({ delete_after: '12', delete_at: '' }, now)).toEqual({});
  });

  it('counts hours from the deployment', () => {
    expect(toDeletion({ delete_after: '8', delete_at: '' }, now)).toEqual({
      scheduled_delete_at: '2026-11-28T20:01:00.000Z',
    });
    for (const { value } of DELETIONS)
      if (value !== AT) expect(deletionFault({ delete_after: value, delete_at: '' }, now)).toBeNull();
  });

  it('accepts a time in the browser’s zone, within a year', () => {
    const chosen = at(wall('2026-12-24T18:00:00Z'));
    expect(deletionFault(chosen, now)).toBeNull();
    expect(toDeletion(chosen, now)).toEqual({ scheduled_delete_at: '2026-12-24T18:00:00.000Z' });
    expect(instantOf(chosen.delete_at, ownZone())?.toISOString()).toBe('2026-12-24T18:00:00.000Z');
    expect(deletionFault(at(''), now)).toBe('Enter a date and time.');
    expect(deletionFault(at(wall('2026-11-28T11:00:00Z')), now)).toContain('in the past');
    expect(deletionFault(at(wall('2028-01-01T00:00:00Z')), now)).toContain('within one year');
  });
});
