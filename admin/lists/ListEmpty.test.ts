import { expect, it } from 'vitest';
import { getResource } from '../schema/resources';
import { emptyTitle } from './ListEmpty';

it('doesn’t say “yet” for a list that excludes deleted records', () => {
  expect(emptyTitle(getResource('cvms'), {})).toBe('No CVMs yet');
  expect(emptyTitle(getResource('cvms'), { team_id: 7, deleted_at: null })).toBe('No CVMs');
  expect(emptyTitle(getResource('members'), { team_id: 7 })).toBe('No members yet');
});
