import { expect, it } from 'vitest';
import type { Session } from '../../generated/api/types.gen';
import type { PlatformRole } from '../../server/domain/core/caller';
import { permissionsOfStaff } from '../../server/domain/teams/permissions';
import { rank } from '../../console/ui/layout/fuzzy';
import { resources } from '../schema/resources';
import { adminCommands } from './Palette';
import { isVerb, SEARCHED } from './useRecordSearch';

const sessionOf = (role: PlatformRole) =>
  ({
    platform_permissions: permissionsOfStaff(role),
    environment: { agent_framework: 'wizard', chat_bot_service: 'signal' },
    teams: [{ slug: 'acme', name: 'Acme' }],
  }) as unknown as Session;
const commandsOf = (role: PlatformRole) => adminCommands(sessionOf(role));
const hrefs = (role: PlatformRole) => commandsOf(role).map(({ href }) => href);

it('includes every list, the overview, the console and the user’s teams', () => {
  const all = hrefs('admin');
  expect(all).toEqual(
    expect.arrayContaining([
      '/admin',
      '/admin/cvms',
      '/admin/infra/teepods',
      '/',
      '/account/settings',
      '/acme',
    ]),
  );
  expect(all).toContain('/admin/system/signal-integration');
  expect(all).toContain('/admin/infra/nodes/create');
  expect(new Set(commandsOf('admin').map(({ id }) => id)).size).toBe(all.length);
});

it('omits pages and actions a role may not use', () => {
  expect(hrefs('finance').some((href) => href?.includes('/infra/'))).toBe(false);
  expect(hrefs('support').filter((href) => href?.endsWith('/create'))).toEqual([]);
});

it('offers adding a record only if the list does', () => {
  const creatable = resources.filter(({ permissions: { create } }) => create !== undefined);
  expect(hrefs('admin').filter((href) => href?.endsWith('/create'))).toHaveLength(creatable.length);
});

it('names a create action by its effect if it does more than add a row', () => {
  const labelOf = (href: string) => commandsOf('admin').find((one) => one.href === href)?.label;
  expect(labelOf('/admin/transactions/create')).toBe('Adjust balance');
  expect(labelOf('/admin/infra/nodes/create')).toBe('Add node');
});

it('finds a list by a few characters', () => {
  const [first] = rank('teepod', commandsOf('infra'), 5);
  expect(first?.item.href).toBe('/admin/infra/teepods');
});

it('recognizes a verb without a record', () => {
  expect(isVerb('cordon', 'Cordon')).toBe(true);
  expect(isVerb('View as', 'View as user')).toBe(true);
  for (const query of ['', 'cord', 'cordon eu-1']) expect(isVerb(query, 'Cordon'), query).toBe(false);
});

it('distinguishes CVMs and apps with the same name by their teams', () => {
  const record = {
    id: 'x',
    name: 'web',
    status: 'running',
    team_slug: 'acme-4f2c',
    team_name: 'Acme Robotics',
  };
  const detail = (resource: string) => SEARCHED.find((one) => one.resource === resource)?.detail(record);
  expect(detail('cvms')).toBe('Acme Robotics · Running');
  expect(detail('apps')).toBe('Acme Robotics');
});
