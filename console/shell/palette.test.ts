import { expect, it } from 'vitest';
import type { Session } from '../../generated/api/types.gen';
import { rank } from '../ui/layout/fuzzy';
import { placeOf } from './place';
import { sections } from './sections';
import { staffCommands } from './staffCommands';
import { startCommands, teamPages } from './teamCommands';

const session = (over: Partial<Session> = {}) =>
  ({
    user: { id: 'usr_self' },
    platform_role: 'support',
    platform_permissions: ['admin.infra.write', 'admin.users.view_as'],
    ...over,
  }) as unknown as Session;

const user = (id: number, over: object = {}) => ({
  id,
  public_id: `usr_${id}`,
  username: `alice-${id}`,
  email: null,
  state: 'active' as const,
  platform_role: null,
  ...over,
});

const labels = (query: string, found: Partial<Parameters<typeof staffCommands>[2]>, over = {}) =>
  staffCommands(session(over), query, { teepods: undefined, users: undefined, ...found }).map(
    ({ label }) => label,
  );

it('remembers a page by the address that opens it again', () => {
  expect(placeOf('acme', '/acme/members', 'audit')).toBe('/acme/members?tab=audit');
  expect(placeOf('acme', '/acme/members', null)).toBe('/acme/members');
  expect(placeOf('acme', '/cost', null)).toBe('/cost?team=acme');
  expect(placeOf('acme', '/acme/tokens', 'x')).toBe('/acme/tokens');
});

it('lists every entry of the navigation, with its own address', () => {
  const pages = teamPages('acme', true);
  const entries = sections('acme', '', null, true).flatMap(({ items }) => items);
  expect(pages.map(({ href }) => href)).toEqual(expect.arrayContaining(entries.map(({ href }) => href)));
  expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
  expect(teamPages('acme', false).map(({ label }) => label)).not.toContain('Admin area');
});

it.each([
  ['billing', '/setup-billing?team=acme'],
  ['cost', '/cost?team=acme'],
  ['usage', '/usage?team=acme'],
  ['transactions', '/transactions?team=acme'],
  ['invoices', '/transactions?team=acme&tab=invoices'],
  ['confidential ai', '/dashboard/confidential-ai-api?team=acme'],
  ['gpu', '/dashboard/gpu-tee?team=acme'],
  ['deploy', '/acme/deploy'],
  ['template', '/acme/launch?way=template'],
  ['mcp server', '/acme/launch?way=mcp'],
  ['start from an existing app', '/acme/launch?way=copy'],
])('finds “%s”', (query, href) => {
  const [first] = rank(query, [...teamPages('acme', false), ...startCommands('acme')], 5);
  expect(first?.item.href).toBe(href);
});

it('offers to cordon or to uncordon, whichever was typed and the state allows', () => {
  const teepods = [
    { id: 1, name: 'eu-1', state: 'online' as const },
    { id: 2, name: 'eu-2', state: 'cordoned' as const },
  ];
  expect(labels('cordon eu', { teepods })).toEqual(['Cordon a teepod', 'Cordon eu-1', 'View as a user']);
  expect(labels('uncordon eu', { teepods })).toEqual(['Cordon a teepod', 'Uncordon eu-2', 'View as a user']);
});

it('offers to view as only users the server allows', () => {
  const users = [
    user(1),
    user(2, { state: 'suspended' }),
    user(3, { public_id: 'usr_self' }),
    user(4, { platform_role: 'finance' }),
  ];
  const may = { platform_permissions: ['admin.users.view_as'] };
  expect(labels('view as alice', { users }, may)).toEqual(['View as a user', 'View as alice-1']);
  expect(labels('view as alice', { users }, { ...may, platform_role: 'admin' })).toEqual([
    'View as a user',
    'View as alice-1',
    'View as alice-4',
  ]);
});
