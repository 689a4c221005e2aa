import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KmsInfo, KmsPage20260522 } from '../../../generated/api/types.gen';
import { VERSIONS } from '../../http/compat/versions';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Key management services as contracts: replicas that share a root key. */
const ROOT = `02${'a1'.repeat(32)}`;
const BASE_ROOT = `03${'b2'.repeat(32)}`;
const ADDRESS = `0x${'cd'.repeat(20)}`;

let server: TestServer;
let member: TestClient;
let numbers: Record<string, number>;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  member = await server.register();
  const { db } = server.services;
  const base = { type: 'base', chain_id: 8453, kms_contract_address: ADDRESS, k256_pubkey: BASE_ROOT };
  const rows = await db
    .insertInto('kms')
    .values(
      [
        { slug: 'main', public_id: 'kms_main', k256_pubkey: ROOT, ca_pubkey: 'ab'.repeat(40) },
        { slug: 'first', public_id: 'kms_first', ...base, state: 'retired' },
        { slug: 'second', public_id: 'kms_second', k256_pubkey: ROOT },
        { slug: 'base-1', public_id: 'kms_base', ...base, kms_contract_address: ADDRESS.toUpperCase() },
        { slug: 'unpinned', public_id: 'kms_unpinned', url: 'unix:/var/lib/kms.sock' },
        { slug: 'gone', public_id: 'kms_gone', k256_pubkey: `02${'ee'.repeat(32)}`, state: 'retired' },
      ].map((row) => ({ url: `https://${row.slug}.example`, version: '0.5.7', ...row })) as never,
    )
    .returning(['id', 'slug'])
    .execute();
  numbers = Object.fromEntries(rows.map(({ id, slug }) => [slug, id]));
  await db
    .insertInto('kms_contracts')
    .values({ chain_id: 8453, address: ADDRESS, label: 'Base production' })
    .execute();
});
afterAll(() => server?.stop());

const contract = (name: string) => member.call('getKms', { path: { kms: name } });
const inVersion = (version: string) => member.with({ 'x-phala-version': version });

describe('KMS contracts', () => {
  it('are listed once with their replicas counted', async () => {
    const { status, body } = await member.call('listKms');
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        {
          id: 'kmsc_main',
          slug: 'main',
          label: null,
          contract_address: 'phala',
          chain_id: 0,
          k256_pubkey: ROOT,
          valid_k256_pubkeys: [ROOT],
          ca_pubkey: 'ab'.repeat(40),
          node_count: 2,
        },
        {
          id: 'kmsc_first',
          slug: 'first',
          label: 'Base production',
          contract_address: ADDRESS,
          chain_id: 8453,
          k256_pubkey: BASE_ROOT,
          valid_k256_pubkeys: [BASE_ROOT],
          ca_pubkey: null,
          node_count: 1,
        },
        {
          id: 'kmsc_unpinned',
          slug: 'unpinned',
          label: null,
          contract_address: 'phala',
          chain_id: 0,
          k256_pubkey: null,
          valid_k256_pubkeys: [],
          ca_pubkey: null,
          node_count: 1,
        },
      ],
      total: 3,
      page: 1,
      page_size: 20,
      pages: 1,
    });
  });

  it('are filtered by chain and listed in pages', async () => {
    const ids = async (query: object) =>
      (await member.call('listKms', { query: { ...query } })).body.items.map(({ id }) => id);
    expect(await ids({ is_onchain: true })).toEqual(['kmsc_first']);
    expect(await ids({ is_onchain: false })).toEqual(['kmsc_main', 'kmsc_unpinned']);
    expect(await ids({ page: 2, page_size: 2 })).toEqual(['kmsc_unpinned']);
    expect(await ids({ page: 9 })).toEqual([]);
    expect((await member.call('listKms', { query: { page_size: 101 } })).status).toBe(422);
  });

  it('are found by any identifier of the contract or its services', async () => {
    for (const name of ['kmsc_main', 'kms_main', 'kms_second', 'second', 'phala', 'PHALA'])
      expect((await contract(name)).body.id, name).toBe('kmsc_main');
    expect((await contract(String(numbers.second))).body.id).toBe('kmsc_main');
    for (const name of ['kmsc_first', 'kmsc_base', 'base-1', 'first', 'Base', ADDRESS, ADDRESS.toUpperCase()])
      expect((await contract(name)).body.id, name).toBe('kmsc_first');
    expect((await contract('gone')).body).toMatchObject({ id: 'kmsc_gone', node_count: 0 });
    for (const name of ['kmsc_nothing', '0', `0x${'00'.repeat(20)}`])
      expect((await contract(name)).status, name).toBe(404);
  });

  it('list their services, except retired ones', async () => {
    const nodes = async (kms: string) => (await member.call('listKmsNodes', { path: { kms } })).body;
    expect(await nodes('kmsc_main')).toEqual({
      items: [
        { id: 'kms_main', slug: 'main', url: 'https://main.example', version: '0.5.7', kms_type: 'phala' },
        {
          id: 'kms_second',
          slug: 'second',
          url: 'https://second.example',
          version: '0.5.7',
          kms_type: 'phala',
        },
      ],
      total: 2,
    });
    expect(await nodes('first')).toMatchObject({ items: [{ id: 'kms_base', kms_type: 'base' }], total: 1 });
    // A socket path reveals where the server keeps its data.
    expect(await nodes('unpinned')).toMatchObject({ items: [{ url: 'unix:local' }] });
    expect(await nodes('gone')).toEqual({ items: [], total: 0 });
    expect((await member.call('listKmsNodes', { path: { kms: 'nothing' } })).status).toBe(404);
  });

  it('require a session or token', async () => {
    for (const id of ['listKms', 'getKms', 'listKmsNodes'] as const)
      expect((await server.anonymous.call(id, { path: { kms: 'main' } })).status, id).toBe(401);
  });
});

describe.each(VERSIONS.filter((version) => version < '2026-06-23'))('version %s', (version) => {
  it('lists the services themselves', async () => {
    const answer = await inVersion(version).call('listKms', { query: { page_size: 2 } });
    const body = answer.body as unknown as KmsPage20260522;
    expect(body).toMatchObject({ total: 4, pages: 2 });
    expect(body.items.map(({ id }) => id)).toEqual(['kms_main', 'kms_second']);
    expect(Object.keys(body).sort()).toEqual(['items', 'page', 'page_size', 'pages', 'total']);
    expect(answer.headers.get('content-type')).toContain(`version=${version}`);
  });

  it('shows a service, also by the identifiers of newer versions', async () => {
    const get = async (kms: string) =>
      (await inVersion(version).call('getKms', { path: { kms } })).body as unknown as KmsInfo;
    expect(await get('second')).toEqual({
      id: 'kms_second',
      slug: 'second',
      url: 'https://second.example',
      version: '0.5.7',
      chain_id: null,
      kms_contract_address: null,
      gateway_app_id: null,
      k256_pubkey: ROOT,
    });
    expect((await get('kmsc_main')).id).toBe('kms_main');
    expect((await get(ADDRESS)).id).toBe('kms_base');
  });
});
