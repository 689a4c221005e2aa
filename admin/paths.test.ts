import { describe, expect, it } from 'vitest';
import { adminHref, BASE, toInternal, toPublished } from './paths';
import { resources } from './schema/resources';

/** Published admin addresses that bookmarks may use, with every parameter. */
const ADDRESSES = [
  '/credits',
  '/credits/:id',
  '/announcements',
  '/announcements/create',
  '/announcements/:id/affected-users',
  '/cvms',
  '/cvms/:id',
  ...['certificates', 'compose', 'eliza-conf', 'events', 'kms', 'logs', 'network', 'settings', 'usage'].map(
    (tab) => `/cvms/:id/${tab}`,
  ),
  '/apps/:id/cvms',
  '/infra',
  '/infra/gpus',
  '/infra/gpus/create',
  '/infra/gpus/:id',
  '/infra/gpus/:id/allocation',
  '/infra/kms',
  '/infra/kms/create',
  '/infra/kms/:id',
  '/infra/kms/:id/edit',
  '/infra/kms/:id/relationships',
  '/infra/kms-contracts',
  '/infra/kms-contracts/create',
  '/infra/kms-contracts/:id',
  '/infra/kms-contracts/:id/edit',
  '/infra/nodes',
  '/infra/nodes/create',
  '/infra/nodes/:id',
  '/infra/nodes/:id/edit',
  '/infra/nodes/:id/teepods',
  '/infra/os-images',
  '/infra/teepods',
  '/infra/teepods/create',
  '/infra/teepods/:id',
  '/infra/teepods/:id/edit',
  '/infra/teepods/:id/gpus',
  '/infra/teepods/:id/gpus/create',
  '/infra/teepods/:id/gpus/:sub/edit',
  ...['hosted-cvms', 'kms', 'managed-cvms', 'os-images', 'placement', 'teams'].map(
    (part) => `/infra/teepods/:id/${part}`,
  ),
  '/instance-events',
  '/instance-types',
  '/invoices',
  '/orders',
  '/promotion-codes',
  '/system/queue-workers',
  '/system/telegram-integration',
  '/transactions',
  '/users',
  '/users/:id',
  ...['billing', 'cvms', 'transactions', 'usage'].map((part) => `/users/:id/${part}`),
  '/workspaces',
  '/workspaces/:id',
  ...['apps', 'cvms', 'gpus', 'invoices', 'members', 'teepods', 'transactions'].map(
    (part) => `/workspaces/:id/${part}`,
  ),
  '/workspaces/:id/apps/:sub/cvms',
  '/workspaces/:id/invoices/:sub',
];

/** IDs that look like other parts of an address. */
const IDS = ['5', 'tdx.small', 'a%2Fb', 'edit', 'show', 'nodes', '~', 'infra', '%F0%9F%8D%B5', 'x y'];

const filled = ADDRESSES.flatMap((address) =>
  IDS.map((id) => address.replace(':id', id).replace(':sub', '7')),
);

describe('published and internal addresses', () => {
  it('round-trip for every address and any ID', () => {
    for (const address of filled) expect(toPublished(toInternal(address)), address).toBe(address);
  });

  it('never map two addresses to the same page', () => {
    const addresses = [...new Set([...filled, ...filled.map((path) => path.replace('/infra', ''))])];
    const pages = new Map<string, string>();
    for (const address of addresses) {
      const page = toInternal(address);
      expect(pages.get(page) ?? address, page).toBe(address);
      pages.set(page, address);
    }
  });

  it('round-trip for the paths react-admin generates', () => {
    for (const { name } of resources)
      for (const id of IDS)
        for (const path of [
          `/${name}`,
          `/${name}/create`,
          `/${name}/${id}`,
          `/${name}/${id}/show`,
          `/${name}/${id}/teepods`,
        ])
          expect(toInternal(toPublished(path)), path).toBe(path);
  });

  it('round-trip for random paths', () => {
    const words = [
      'infra',
      'nodes',
      'teepods',
      'kms',
      'kms-contracts',
      'edit',
      'show',
      'create',
      '~',
      '7',
      'x',
    ];
    let seed = 1;
    const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
    for (let i = 0; i < 20_000; i++) {
      const path = `/${Array.from({ length: 1 + random(5) }, () => words[random(words.length)]).join('/')}`;
      expect(toPublished(toInternal(path)), path).toBe(path);
    }
  });

  it('use …/edit for the form and no suffix for the record', () => {
    expect(toInternal('/infra/teepods/5')).toBe('/teepods/5/show');
    expect(toInternal('/infra/teepods/5/edit')).toBe('/teepods/5');
    expect(toInternal('/infra/teepods/create')).toBe('/teepods/create');
    expect(toInternal('/infra/nodes/5/teepods')).toBe('/nodes/5/teepods');
    expect(toInternal('/')).toBe('');
  });

  it("do not expose react-admin's internal paths", () => {
    expect(toInternal('/teepods/5')).toBe('/~/teepods/5');
    expect(toInternal('/nodes')).toBe('/~/nodes');
  });

  it('build links', () => {
    expect(adminHref.show('nodes', 5)).toBe(`${BASE}/infra/nodes/5`);
    expect(adminHref.edit('instance-types', 'tdx.small')).toBe(`${BASE}/instance-types/tdx.small/edit`);
    expect(adminHref.list('nodes', { state: 'online' })).toBe(
      `${BASE}/infra/nodes?filter=%7B%22state%22%3A%22online%22%7D`,
    );
  });
});
