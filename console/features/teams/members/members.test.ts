import { expect, test } from 'vitest';
import { TEAM_ROLES } from '../../../api/roles';
import { findRows, permissionRows } from './matrix';
import { membersHref, membersSearch } from './search';
import { resendProblem, roleChangeProblem } from './roleChange';

const row = (permission: string) => permissionRows.find((candidate) => candidate.permission === permission);

test('lists only team roles in the permission table, no platform permissions', () => {
  expect(permissionRows.some(({ permission }) => permission.startsWith('admin.'))).toBe(false);
  expect(row('account.write')).toBeUndefined();
  expect([...(row('team.delete')?.roles ?? [])]).toEqual(['owner']);
  expect([...(row('cvms.write')?.roles ?? [])].sort()).toEqual(['admin', 'member', 'owner']);
  for (const role of TEAM_ROLES) expect(row('team.read')?.roles.has(role)).toBe(true);
});

test('shows the scope a token needs, or that no token is allowed', () => {
  expect(row('cvms.write')?.scope).toBe('cvms:*');
  expect(row('team.members')?.scope).toBeNull();
});

test('search matches every word', () => {
  expect(findRows(permissionRows, 'delete cvms').map(({ permission }) => permission)).toContain('cvms.write');
  expect(findRows(permissionRows, 'zebra')).toEqual([]);
  expect(findRows(permissionRows, ' ')).toBe(permissionRows);
});

test('explains why a role can’t be changed', () => {
  expect(roleChangeProblem({ is_you: false, role: 'member' }, 'member')).toContain('owners and admins');
  expect(roleChangeProblem({ is_you: true, role: 'owner' }, 'owner')).toContain('own role');
  expect(roleChangeProblem({ is_you: false, role: 'owner' }, 'admin')).toContain('Only an owner');
  expect(roleChangeProblem({ is_you: false, role: 'owner' }, 'owner')).toBeNull();
  expect(roleChangeProblem({ is_you: false, role: 'viewer' }, 'admin')).toBeNull();
});

test('offers to resend an invitation only to those who may invite with its role', () => {
  expect(resendProblem({ role: 'owner' }, 'admin')).toContain('Only an owner');
  expect(resendProblem({ role: 'owner' }, 'owner')).toBeNull();
  expect(resendProblem({ role: 'admin' }, 'admin')).toBeNull();
});

test('parses the tab and invitation from the address', () => {
  expect(membersSearch({ tab: 'audit' })).toEqual({ tab: 'audit', invite: undefined, q: undefined });
  expect(membersSearch({ tab: 'nonsense', invite: 'true' })).toEqual({
    tab: undefined,
    invite: true,
    q: undefined,
  });
});

test('keeps the member search in the address', () => {
  const href = membersHref('acme', { q: 'ada & co', invite: true });
  expect(href).toBe('/acme/members?q=ada+%26+co&invite=true');
  expect(membersSearch(Object.fromEntries(new URL(href, 'http://x').searchParams))).toEqual({
    tab: undefined,
    invite: true,
    q: 'ada & co',
  });
  expect(membersHref('acme', membersSearch({ q: ' ' }))).toBe('/acme/members');
});
