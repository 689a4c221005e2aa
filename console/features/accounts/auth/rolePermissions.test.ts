import { expect, test } from 'vitest';
import { TEAM_ROLES } from '../../../api/roles';
import { rolePermissions } from './rolePermissions';

test('lists what each role can do from the permission table the server uses', () => {
  for (const role of TEAM_ROLES) expect(rolePermissions(role).length, role).toBeGreaterThan(0);
  const viewer = rolePermissions('viewer');
  expect(viewer.join(' ')).not.toMatch(/Deploy|Delete the team/);
  // Higher roles include everything lower roles can do.
  expect(rolePermissions('owner')).toEqual(expect.arrayContaining(rolePermissions('admin')));
  expect(rolePermissions('admin')).toEqual(expect.arrayContaining(viewer));
});
