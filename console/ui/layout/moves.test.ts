import { expect, it } from 'vitest';
import { adminMenu } from '../../../generated/api/adminMenu.gen';
import { adminMenuOf } from '../../lib/adminMenu';
import { accountSections } from '../../shell/accountSections';
import { sections } from '../../shell/sections';
import type { NavSection } from './frameData';
import { movesOf } from './moves';

it('gives each page in the admin menu its own letter', () => {
  const reader = {
    platform_permissions: [...new Set(adminMenu.map(({ permission }) => permission))],
    environment: { chat_bot_service: 'chat' },
  };
  const keys = movesOf(adminMenuOf(adminMenu, reader, '')).map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(20);
  expect(new Set(keys).size).toBe(keys.length);
  // Reserved for lists.
  expect(keys.filter((key) => ['e', 'j', 'k', 'x'].includes(key))).toEqual([]);
});

const PAYER = ['billing.read', 'tokens.read', 'webhooks.read', 'team.audit'] as const;
const MENUS: readonly [name: string, menu: readonly NavSection[]][] = [
  ['a team', sections('acme', '/acme', null, { staff: true, permissions: PAYER })],
  ['the account', [{ items: accountSections('profile') }]],
];

it.each(MENUS)('gives every page in %s its own letter', (_menu, menu) => {
  const moves = movesOf(menu);
  expect(moves.map(({ label }) => label)).toEqual(
    menu.flatMap(({ items }) => items.map(({ label }) => label)),
  );
  expect(new Set(moves.map(({ key }) => key)).size).toBe(moves.length);
  // Reserved for lists.
  expect(moves.filter(({ key }) => ['e', 'j', 'k', 'x'].includes(key))).toEqual([]);
});

it('has entries for webhooks, the audit log, settings and usage, and none for Launch', () => {
  const labels = sections('acme', '/acme/launch', null, { staff: false, permissions: PAYER }).flatMap(
    ({ items }) => items,
  );
  expect(labels.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Webhooks', 'Audit log', 'Team settings', 'Usage']),
  );
  expect(labels.map(({ label }) => label)).not.toContain('Launch');
  expect(labels.find(({ current }) => current)?.label).toBe('Deploy');
});
