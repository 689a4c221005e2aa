import { CHAINS } from '../../../console/lib/kms/chains';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AvailableTeepods,
  KmsInfo,
  KmsPage20260522,
  OsImagePage,
} from '../../../generated/api/types.gen';
import { bytesToHex } from '../../../console/lib/bytes';
import { signEnvKey } from '../../../console/lib/secrets/kmsKey';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const ROOT_KEY = '11'.repeat(32);
const PINNED = bytesToHex(secp256k1.getPublicKey(Buffer.from(ROOT_KEY, 'hex'), true));
const PUBLIC_KEY = 'ab'.repeat(32);
const APP_ID = '0123456789abcdef0123456789abcdef01234567';

let server: TestServer;
let alice: TestClient;
let kms: Server;
/** The KMS's next answer: status and body. */
let answer: (app_id: string) => [number, unknown];

const signed = (app_id: string, key = ROOT_KEY, public_key = PUBLIC_KEY) => {
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    public_key,
    timestamp,
    signature: signEnvKey({ public_key, app_id }, key),
    signature_v1: signEnvKey({ public_key, app_id, timestamp }, key),
  };
};

beforeAll(async () => {
  // These hosts are rows only; a worker round would mark them as unresponsive.
  server = await startTestServer({
    env: { RECONCILE_SECONDS: '3600', BASE_RPC_URL: 'http://127.0.0.1:9' },
  });
  alice = await server.register('alice@example.test');
  kms = createServer((req, res) => {
    let text = '';
    req.on('data', (chunk: Buffer) => (text += chunk.toString()));
    req.on('end', () => {
      const [status, body] = answer((JSON.parse(text) as { app_id: string }).app_id);
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => kms.once('listening', resolve));
  const { db } = server.services;
  const url = `http://127.0.0.1:${(kms.address() as AddressInfo).port}`;
  const [central, , onchain] = await db
    .insertInto('kms')
    .values([
      { public_id: 'kms_one', slug: 'main', url, version: '0.5.7', k256_pubkey: PINNED },
      { public_id: 'kms_old', slug: 'old', url, state: 'retired', k256_pubkey: PINNED },
      {
        public_id: 'kms_base',
        slug: 'base-1',
        type: 'base',
        url,
        chain_id: 8453,
        kms_contract_address: `0x${'cd'.repeat(20)}`,
      },
    ] as never)
    .returning('id')
    .execute();
  const [image, dev, older] = await db
    .insertInto('os_images')
    .values([
      { name: 'dstack-0.5.10', slug: 'dstack-0.5.10-aa', version: '0.5.10', os_image_hash: 'aa' },
      { name: 'dstack-dev-0.5.10', slug: 'dstack-dev-0.5.10-bb', version: '0.5.10', is_dev: true },
      { name: 'dstack-0.5.9', slug: 'dstack-0.5.9-cc', version: '0.5.9' },
    ] as never)
    .returning('id')
    .execute();
  const node = await db
    .insertInto('nodes')
    .values({ name: 'n1', region: 'eu', device_id: 'd1' } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  const host = {
    node_id: node.id,
    url: 'http://127.0.0.1:1',
    reachable: true,
    max_cvms: 10,
    max_vcpu: 16,
    max_memory_mb: 32_768,
    max_disk_gb: 500,
  };
  const [small, , , , base] = await db
    .insertInto('teepods')
    .values([
      { ...host, name: 'full', kms_id: central!.id, max_vcpu: 2 },
      { ...host, name: 'foreign', all_teams: false },
      { ...host, name: 'draining', state: 'draining' },
      { ...host, name: 'away', reachable: false },
      { ...host, name: 'empty', kms_id: onchain!.id },
    ] as never)
    .returning('id')
    .execute();
  await db
    .insertInto('teepod_os_images')
    .values([image!, dev!, older!].map(({ id }) => ({ teepod_id: base!.id, os_image_id: id })))
    .execute();
  const team = await db
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', 'alice')
    .executeTakeFirstOrThrow();
  const provision = await db
    .insertInto('provisions')
    .values({
      team_id: team.id,
      app_id: '0'.repeat(40),
      compose_hash: '',
      app_compose: '',
      docker_compose_file: '',
      name: 'x',
      vcpu: 1,
      memory_mb: 1024,
      disk_gb: 10,
      os_image: 'x',
      env_pubkey: '',
      teepod_id: small!.id,
      public_logs: false,
      public_sysinfo: false,
      public_tcbinfo: false,
      listed: false,
      expires_at: new Date(Date.now() + 60_000),
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('reservations')
    .values({
      teepod_id: small!.id,
      team_id: team.id,
      provision_id: provision.id,
      vcpu: 1,
      memory_mb: 1024,
      disk_gb: 10,
      expires_at: new Date(Date.now() + 60_000),
    } as never)
    .execute();
});
afterAll(async () => {
  kms.close();
  await server.stop();
});

it('listAvailableTeepods lists the hosts open to the team, most free capacity first', async () => {
  const { status, body } = await alice.call('listAvailableTeepods', { query: { v03x_only: 1 } });
  expect(status).toBe(200);
  const { nodes, kms_list, capacity, tier } = body as AvailableTeepods;
  expect(nodes.map(({ name }) => name)).toEqual(['empty', 'full']);
  expect(nodes[0]).toMatchObject({
    resource_score: 1,
    remaining_vcpu: 16,
    remaining_cvm_slots: 10,
    support_onchain_kms: true,
    device_id: 'd1',
    region_identifier: 'eu',
    default_kms: 'base-1',
    kms_list: ['base-1'],
    local: false,
  });
  expect(nodes[0]?.images.map(({ name, version }) => [name, version])).toEqual([
    ['dstack-0.5.10', [0, 5, 10]],
    ['dstack-dev-0.5.10', [0, 5, 10]],
    ['dstack-0.5.9', [0, 5, 9]],
  ]);
  expect(nodes[1]).toMatchObject({ resource_score: 0.5, remaining_vcpu: 1, remaining_cvm_slots: 9 });
  expect(kms_list.map(({ slug }) => slug)).toEqual(['main', 'base-1']);
  expect(tier).toBe('free');
  expect(capacity.max_instances).toBe(1000);
});

describe('instance types', () => {
  it('are public, grouped by family, with exact prices, and without keys the clients reject', async () => {
    const { status, body } = await server.anonymous.call('listInstanceTypes');
    expect(status).toBe(200);
    const { result } = body as {
      result: { name: string; items: { id: string; hourly_rate: string }[]; total: number }[];
    };
    expect(Object.keys(body)).toEqual(['result']);
    const cpu = result.find(({ name }) => name === 'cpu');
    expect(cpu?.total).toBe(cpu?.items.length);
    expect(cpu?.items.find(({ id }) => id === 'tdx.small')?.hourly_rate).toMatch(/^\d+\.\d{2,6}$/);
    const family = await server.anonymous.call('getInstanceTypeFamily', { path: { family: 'cpu' } });
    expect(family.body).toEqual({ items: cpu?.items, total: cpu?.total, family: 'cpu' });
  });
  it('omit retired types and reject unknown families', async () => {
    await server.services.db
      .updateTable('instance_types')
      .set({ state: 'retired' })
      .where('id', '=', 'tdx.small')
      .execute();
    const { body } = await server.anonymous.call('listInstanceTypes');
    expect(JSON.stringify(body)).not.toContain('tdx.small');
    expect((await server.anonymous.call('getInstanceTypeFamily', { path: { family: 'tpu' } })).status).toBe(
      404,
    );
  });
});

it('listOsImages lists images by version, newest first, in pages', async () => {
  const page = async (query: object) =>
    (await alice.call('listOsImages', { query: { ...query } })).body as OsImagePage;
  expect((await page({ page_size: 100 })).items.map(({ name }) => name)).toEqual([
    'dstack-0.5.10',
    'dstack-dev-0.5.10',
    'dstack-0.5.9',
  ]);
  expect((await page({ is_dev: true })).items.map(({ name }) => name)).toEqual(['dstack-dev-0.5.10']);
  const second = await page({ page: 2, page_size: 2 });
  expect(second).toMatchObject({ total: 3, page: 2, page_size: 2, pages: 2 });
  expect(second.items.map(({ name }) => name)).toEqual(['dstack-0.5.9']);
  expect((await alice.call('listOsImages', { query: { page_size: 101 } })).status).toBe(422);
  expect((await server.anonymous.call('listOsImages')).status).toBe(401);
});

describe('key management services, in versions before contracts', () => {
  const before = () => alice.with({ 'x-phala-version': '2026-05-22' });
  it('are listed without retired ones and filtered by on-chain', async () => {
    const slugs = async (query: object) =>
      (
        (await before().call('listKms', { query: { ...query } })).body as unknown as KmsPage20260522
      ).items.map(({ slug }) => slug);
    expect(await slugs({})).toEqual(['main', 'base-1']);
    expect(await slugs({ page_size: 100, is_onchain: true })).toEqual(['base-1']);
    expect(await slugs({ is_onchain: false })).toEqual(['main']);
  });
  it('are found by ID, slug or type in any case; retired ones by ID and slug only', async () => {
    const get = async (name: string) => {
      const found = await before().call('getKms', { path: { kms: name } });
      return found.status === 200 ? (found.body as unknown as KmsInfo).id : found.status;
    };
    expect(await get('kms_one')).toBe('kms_one');
    expect(await get('main')).toBe('kms_one');
    expect(await get('PHALA')).toBe('kms_one');
    expect(await get('Base')).toBe('kms_base');
    expect(await get('old')).toBe('kms_old');
    expect(await get('ethereum')).toBe(404);
    expect((await before().call('getKms', { path: { kms: 'main' } })).body).toMatchObject({
      k256_pubkey: PINNED,
    });
  });
  it('list their contracts with hosts and images if on a chain', async () => {
    const base = await alice.call('getKmsOnChain', { path: { chain: 'base' } });
    expect(base.body).toMatchObject({
      chain_name: 'base',
      chain_id: 8453,
      contracts: [
        {
          contract_address: `0x${'cd'.repeat(20)}`,
          devices: [{ device_id: 'd1', node_name: 'n1', on_chain_allowed: null }],
          os_images: expect.arrayContaining([
            { name: 'dstack-0.5.9', version: '0.5.9', os_image_hash: null, on_chain_allowed: null },
          ]) as unknown,
        },
      ],
    });
    const none = await alice.call('getKmsOnChain', { path: { chain: 'ethereum' } });
    expect(none.body).toEqual({ chain_name: 'ethereum', chain_id: 1, contracts: [] });
    for (const { id, slug } of CHAINS) {
      const answer = await alice.call('getKmsOnChain', { path: { chain: slug } });
      expect(answer).toMatchObject({ status: 200, body: { chain_name: slug, chain_id: id } });
    }
    const unknown = await alice.call('getKmsOnChain', { path: { chain: 'constructor' } });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'ERR-00-030' } });
  });
});

describe('getAppEnvPubkey', () => {
  const getKey = (app_id = APP_ID, name = 'main') =>
    alice.call('getAppEnvPubkey', { path: { kms: name, app_id } });

  it('returns a key signed by the pinned root key, for any spelling of the app ID', async () => {
    answer = (app_id) => [200, signed(app_id)];
    for (const written of [APP_ID, `0x${APP_ID.toUpperCase()}`, `app_${APP_ID}`]) {
      const { status, body } = await getKey(written, 'phala');
      expect(status).toBe(200);
      expect(body).toEqual({ public_key: PUBLIC_KEY, signature: signed(APP_ID).signature });
    }
    // A KMS before 0.5.6 only produces the older signature.
    answer = (app_id) => [200, { ...signed(app_id), signature_v1: '' }];
    expect((await getKey()).status).toBe(200);
  });

  const other = '22'.repeat(32);
  it.each<[string, (app_id: string) => [number, unknown]]>([
    ['another root key', (id) => [200, signed(id, other)]],
    ['another app', (id) => [200, signed(id.replace('0', '1'))]],
    ['a swapped key', (id) => [200, { ...signed(id), public_key: 'cd'.repeat(32) }]],
    [
      'a v1 signature by another key',
      (id) => [200, { ...signed(id), signature_v1: signed(id, other).signature_v1 }],
    ],
    [
      'an outdated v1 signature',
      (id) => [
        200,
        {
          ...signed(id),
          timestamp: 1_700_000_000,
          signature_v1: signEnvKey(
            { public_key: PUBLIC_KEY, app_id: id, timestamp: 1_700_000_000 },
            ROOT_KEY,
          ),
        },
      ],
    ],
    ['no signature', (id) => [200, { ...signed(id), signature: '' }]],
    ['a refusal', () => [400, { error: 'app is not allowed' }]],
    ['an unexpected body', () => [200, { hello: 'world' }]],
  ])('withholds the key when the answer has %s', async (_, next) => {
    answer = next;
    const { status, body } = await getKey();
    expect(status).toBe(502);
    expect(JSON.stringify(body)).not.toContain('public_key"');
    expect(JSON.stringify(body)).not.toMatch(/(ab|cd){32}/);
  });

  it('distinguishes an unknown, unpinned or unreachable KMS and an invalid app ID', async () => {
    expect((await getKey(APP_ID, 'nowhere')).status).toBe(404);
    expect(await getKey(APP_ID, 'base')).toMatchObject({ status: 502, body: { code: 'ERR-00-018' } });
    await server.services.db
      .updateTable('kms')
      .set({ url: 'http://127.0.0.1:1' })
      .where('slug', '=', 'old')
      .execute();
    expect(await getKey(APP_ID, 'old')).toMatchObject({ status: 502, body: { code: 'ERR-00-017' } });
    expect((await getKey('0x1234')).status).toBe(422);
  });
});

describe('templates', () => {
  it('are listed for anyone, and returned with Compose file and inputs', async () => {
    const list = await server.anonymous.call('listTemplates');
    expect(list.status).toBe(200);
    expect(list.body).toContainEqual(expect.objectContaining({ id: 'postgresql', category: 'databases' }));
    const one = await server.anonymous.call('getTemplate', { path: { template_id: 'postgresql' } });
    expect(one.body).toMatchObject({
      id: 'postgresql',
      images: [expect.stringMatching(/^postgres:17-alpine@sha256:[0-9a-f]{64}$/)],
      inputs: [{ key: 'POSTGRES_DB' }, { key: 'POSTGRES_PASSWORD', secret: true, generate: 32 }],
    });
  });

  it('answer 404 for an unknown ID', async () => {
    for (const template_id of ['nope', '__proto__', 'constructor', '..'])
      expect((await server.anonymous.call('getTemplate', { path: { template_id } })).status).toBe(404);
  });
});
