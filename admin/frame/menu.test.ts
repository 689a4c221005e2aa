import { expect, test } from 'vitest';
import { adminMenu } from '../../generated/api/adminMenu.gen';
import { adminMenuOf } from '../../console/lib/adminMenu';
import type { PlatformRole } from '../../server/domain/caller';
import { permissionsOfStaff } from '../../server/domain/permissions';
import { adminHref } from '../paths';
import { areaPagesOf } from '../resources';
import { resources } from '../schema/resources';

const environment = { chat_bot_service: 'telegram' };
const seenBy = (role: PlatformRole) =>
  adminMenuOf(adminMenu, { platform_permissions: permissionsOfStaff(role), environment }, '/admin/cvms');

test.each(['support', 'finance', 'infra', 'admin'] as const)(
  'who is %s finds every list and page that is open to them at its own address, and no other',
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

test('around the pages of a CVM it has the chat bot too, and CVMs is where one is', () => {
  const items = seenBy('admin').flatMap((section) => section.items);
  expect(items).toContainEqual({
    label: 'Chat bot',
    href: '/admin/system/telegram-integration',
    current: false,
  });
  expect(items.filter(({ current }) => current)).toMatchObject([{ label: 'CVMs' }]);
});

test('a part of the menu stands once, what people come for most first', () => {
  const labels = seenBy('admin').flatMap(({ label }) => label ?? []);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels[0]).toBe('Compute');
  expect(labels.at(-1)).toBe('System');
});
