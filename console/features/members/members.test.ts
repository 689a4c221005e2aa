import { expect, test } from 'vitest';
import { TEAM_ROLES } from '../../api/roles';
import { findRows, permissionRows } from './matrix';
import { membersSearch } from './search';
import { changeFault } from './standing';

const row = (permission: string) => permissionRows.find((candidate) => candidate.permission === permission);

test('the matrix is the server’s table: team roles only, nothing of the platform', () => {
  expect(permissionRows.some(({ permission }) => permission.startsWith('admin.'))).toBe(false);
  expect(row('account.write')).toBeUndefined();
  expect([...(row('team.delete')?.roles ?? [])]).toEqual(['owner']);
  expect([...(row('cvms.write')?.roles ?? [])].sort()).toEqual(['admin', 'member', 'owner']);
  for (const role of TEAM_ROLES) expect(row('team.read')?.roles.has(role)).toBe(true);
});

test('what a token may do stands beside, and what it never may', () => {
  expect(row('cvms.write')?.scope).toBe('cvms:*');
  expect(row('team.members')?.scope).toBeNull();
});

test('searching finds by every word', () => {
  expect(findRows(permissionRows, 'delete cvms').map(({ permission }) => permission)).toContain('cvms.write');
  expect(findRows(permissionRows, 'zebra')).toEqual([]);
  expect(findRows(permissionRows, ' ')).toBe(permissionRows);
});

test('who may change whom', () => {
  expect(changeFault({ is_you: false, role: 'member' }, 'member')).toContain('Owners and admins');
  expect(changeFault({ is_you: true, role: 'owner' }, 'owner')).toContain('own role');
  expect(changeFault({ is_you: false, role: 'owner' }, 'admin')).toContain('Only an owner');
  expect(changeFault({ is_you: false, role: 'owner' }, 'owner')).toBeNull();
  expect(changeFault({ is_you: false, role: 'viewer' }, 'admin')).toBeNull();
});

test('tabs of the address', () => {
  expect(membersSearch({ tab: 'audit' })).toEqual({ tab: 'audit', invite: undefined });
  expect(membersSearch({ tab: 'nonsense', invite: 'true' })).toEqual({ tab: undefined, invite: true });
});
