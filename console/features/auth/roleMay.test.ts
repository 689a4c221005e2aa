import { expect, test } from 'vitest';
import { TEAM_ROLES } from '../../api/roles';
import { roleMay } from './roleMay';

test('each role is told what it may do, by the table the server decides with', () => {
  for (const role of TEAM_ROLES) expect(roleMay(role).length, role).toBeGreaterThan(0);
  const viewer = roleMay('viewer');
  expect(viewer.join(' ')).not.toMatch(/Deploy|Delete the team/);
  // Whoever may more may also what others may.
  expect(roleMay('owner')).toEqual(expect.arrayContaining(roleMay('admin')));
  expect(roleMay('admin')).toEqual(expect.arrayContaining(viewer));
});
