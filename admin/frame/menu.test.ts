import ListIcon from 'lucide-react/icons/list';
import { isValidElement } from 'react';
import { expect, test } from 'vitest';
import { adminMenu } from '../../generated/api/adminMenu.gen';
import { adminMenuOf } from '../../console/lib/adminMenu';
import { withAdminIcons } from '../../console/ui/layout/adminIcons';
import type { PlatformRole } from '../../server/domain/core/caller';
import { permissionsOfStaff } from '../../server/domain/teams/permissions';
import { adminHref } from '../paths';
import { areaPagesOf } from '../resources';
import { resources } from '../schema/resources';

const environment = { chat_bot_service: 'telegram' };
const seenBy = (role: PlatformRole) =>
  adminMenuOf(adminMenu, { platform_permissions: permissionsOfStaff(role), environment }, '/admin/cvms');

test.each(['support', 'finance', 'infra', 'admin'] as const)(
  'shows role %s exactly the lists and pages it may open',
  (role) => {
    const may: readonly string[] = permissionsOfStaff(role);
    const open = [
      '/admin',
      ...areaPagesOf({ environment } as Parameters<typeof areaPagesOf>[0])
        .filter(({ permission }) => may.includes(permission))
        .map(({ path }) => `/admin/${path}`),
      ...resources
        .filter(({ permissions: { list } }) => list !== undefined && may.includes(list))
        .map(({ name }) => adminHref.list(name)),
    ];
    const shown = seenBy(role).flatMap(({ items }) => items.map(({ href }) => href));
    expect(shown.toSorted()).toEqual(open.toSorted());
  },
);

test('marks CVMs as current on CVM pages and includes the chat bot', () => {
  const items = seenBy('admin').flatMap((section) => section.items);
  expect(items).toContainEqual({
    label: 'Chat bot',
    href: '/admin/system/telegram-integration',
    current: false,
  });
  expect(items.filter(({ current }) => current)).toMatchObject([{ label: 'CVMs' }]);
});

test('uses the configured chat service in the chat bot address', () => {
  const renamed = { environment: { chat_bot_service: 'signal' } };
  const address = '/admin/system/signal-integration';
  const menu = adminMenuOf(
    adminMenu,
    { platform_permissions: permissionsOfStaff('admin'), ...renamed },
    address,
  ).flatMap(({ items }) => items);
  expect(menu.filter(({ current }) => current)).toEqual([
    { label: 'Chat bot', href: address, current: true },
  ]);
  expect(menu.some(({ href }) => href.includes('telegram') || href.includes('{'))).toBe(false);
  expect(
    areaPagesOf(renamed as Parameters<typeof areaPagesOf>[0]).map(({ path }) => `/admin/${path}`),
  ).toContain(address);
});

test('shows each menu group once, most used first', () => {
  const labels = seenBy('admin').flatMap(({ label }) => label ?? []);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels[0]).toBe('Compute');
  expect(labels.at(-1)).toBe('System');
});

test('lists details below their parent list', () => {
  const items = seenBy('admin').flatMap((section) => section.items);
  const at = (href: string) => items.findIndex((item) => item.href === href);
  const children = items.filter(({ parent }) => parent !== undefined);
  expect(children.map(({ label, parent }) => `${label}: ${parent}`)).toEqual(
    expect.arrayContaining(['Drain CVMs: /admin/infra/drains', 'GPU events: /admin/infra/gpus']),
  );
  for (const { href, parent = '' } of children) {
    const between = items.slice(at(parent) + 1, at(href));
    expect(between.every((item) => item.parent === parent)).toBe(true);
  }
});

test('gives every entry an icon of its own, except details below their list', () => {
  const items = withAdminIcons(seenBy('admin')).flatMap((section) => section.items);
  const icons = items.flatMap(({ icon, href }) => (isValidElement(icon) ? [{ href, type: icon.type }] : []));
  expect(icons.map(({ href }) => href)).toEqual(
    items.filter(({ parent }) => parent === undefined).map(({ href }) => href),
  );
  expect(icons.filter(({ type }) => type === ListIcon)).toEqual([]);
  expect(new Set(icons.map(({ type }) => type)).size).toBe(icons.length);
});
