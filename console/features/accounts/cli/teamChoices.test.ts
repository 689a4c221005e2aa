import { expect, test } from 'vitest';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { firstChoice, teamChoices } from './teamChoices';

const team = (slug: string, parts: Partial<SessionTeam> = {}): SessionTeam => ({
  id: slug,
  name: slug,
  slug,
  former_slugs: [],
  role: 'member',
  is_default: false,
  avatar_url: null,
  permissions: ['tokens.write'],
  refused: null,
  debt: null,
  has_host: true,
  etag: '"t1"',
  ...parts,
});

test('explains why a team can’t be chosen', () => {
  const choices = teamChoices([
    team('mine'),
    team('theirs', { role: 'viewer', permissions: [] }),
    team('strict', { refused: 'second_factor' }),
    team('corp', { refused: 'sso' }),
  ]);
  expect(choices.map(({ disabled }) => disabled)).toEqual([false, true, true, true]);
  expect(choices[1]?.label).toContain('viewer');
  expect(choices[2]?.label).toContain('second factor');
});

test('preselects a team that can be chosen', () => {
  expect(firstChoice([team('a'), team('b', { is_default: true })])).toBe('b');
  expect(firstChoice([team('a'), team('b', { is_default: true, refused: 'sso' })])).toBe('a');
  expect(firstChoice([team('a', { permissions: [] })])).toBeUndefined();
});
