import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { runningCvm } from '../../testing/hostedCvm';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { reconcileTeepod } from '../cvms/reconcile';
import { readGpus } from './testing/everyHost';

/** A host's reports must not break what other teams and administrators read. */
let server: TestServer;
let admin: TestClient;
let member: TestClient;
let who: { team_id: number; user_id: number };
const fakes: FakeVmm[] = [];

beforeAll(async () => {
  server = await startTestServer({ env: { RECONCILE_SECONDS: '3600' } });
  admin = await server.register();
  member = await server.register();
  who = await identityOf(db(), member.email!);
});
afterAll(async () => {
  await server?.stop();
  for (const fake of fakes) await fake.close();
});

const db = () => server.services.db;
const LONG = 'x'.repeat(100_000);

async function host(name: string): Promise<{ fake: FakeVmm; host: TestHost }> {
  const fake = await startFakeVmm({ stage_ms: 5 });
  fakes.push(fake);
  return { fake, host: await insertHost(db(), { name, url: fake.url, kind: 'dstack_vmm' }) };
}

/** Runs a round in which the host is reached for the first time. */
async function round({ teepod: { id } }: TestHost): Promise<void> {
  await sql`update cvms set updated_at = now() - interval '1 minute'`.execute(db());
  const teepod = await db()
    .updateTable('teepods')
    .set({ reachable: false })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await reconcileTeepod(server.services, server.services.jobs, teepod);
  await readGpus(server.services);
}

const READ_BY_MEMBERS = [
  'listApps',
  'listCvmsPaginated',
  'listAvailableTeepods',
  'getCvmCreateResources',
  'listOsImages',
  'listEvents',
] as const;
const READ_BY_STAFF = [
  'listAdminCvms',
  'listAdminTeepods',
  'listAdminOsImages',
  'listAdminGpus',
  'listAdminDuplicateVms',
  'getAdminFleet',
] as const;
const READ_OF_HOST = [
  'getAdminTeepod',
  'checkAdminTeepod',
  'listHostedCvms',
  'listTeepodOsImages',
  'getTeepodHostImages',
  'getTeepodKms',
] as const;

/** Returns the requests that don't return 200. */
async function spoiled(teepod_id: number, cvm_id?: string): Promise<string[]> {
  const path = { id: teepod_id };
  const replies = [
    ...(await Promise.all(READ_BY_MEMBERS.map(async (id) => ({ id, ...(await member.call(id)) })))),
    ...(await Promise.all(READ_BY_STAFF.map(async (id) => ({ id, ...(await admin.call(id)) })))),
    ...(await Promise.all(READ_OF_HOST.map(async (id) => ({ id, ...(await admin.call(id, { path })) })))),
    ...(cvm_id === undefined
      ? []
      : await Promise.all(
          (['getCvm', 'getCvmState', 'getCvmNetwork', 'getCvmStats', 'getCvmComposition'] as const).map(
            async (id) => ({ id, ...(await member.call(id, { path: { cvm_id } })) }),
          ),
        )),
  ];
  return replies.filter(({ status }) => status !== 200).map(({ id, status }) => `${id}: ${status}`);
}

const image = { name: 'dstack-9.9.9', description: '{}', version: '9.9.9', is_dev: false };
const gpu = { slot: '0000:01:00.0', product_id: '10de:2335', description: 'H200', is_free: true };
const gateway = { url: '', base_domain: 'gw.x', port: 443, agent_port: 8090, urls: [] };
const resources = { max_cvm_number: 10, max_allocable_vcpu: 10, max_allocable_memory_in_mb: 1000 };
const meta = { kms: null, gateway, resources, networking: null };

describe('a host that reports', () => {
  it.each<[string, string, unknown]>([
    ['an endless image name', 'ListImages', { images: [{ ...image, name: LONG }] }],
    ['an image name that cannot be stored', 'ListImages', { images: [{ ...image, name: 'a\0b' }] }],
    ['an endless image version', 'ListImages', { images: [{ ...image, version: LONG }] }],
    ['an endless version', 'Version', { version: LONG, rev: LONG }],
    ['a version that cannot be stored', 'Version', { version: '0.6.0\0', rev: '' }],
    ['endless GPUs', 'ListGpus', { gpus: [{ ...gpu, slot: LONG, product_id: LONG, description: LONG }] }],
    ['an endless domain', 'GetMeta', { ...meta, gateway: { ...gateway, base_domain: LONG } }],
    ['a domain that is none', 'GetMeta', { ...meta, gateway: { ...gateway, base_domain: 'a b/c@d' } }],
    [
      'impossible capacity',
      'GetMeta',
      {
        ...meta,
        resources: { max_cvm_number: 1e15, max_allocable_vcpu: -5, max_allocable_memory_in_mb: 1.5 },
      },
    ],
  ])('%s', async (name, method, reply) => {
    const { fake, host: at } = await host(`says-${name.replaceAll(' ', '-')}`);
    fake.on(`/prpc/${method}`, (_request, response) => response.end(JSON.stringify(reply)));
    await round(at);
    expect(await spoiled(at.teepod.id)).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an endless instance ID', { instance_id: 'a'.repeat(100_000) }],
    ['an instance ID that cannot be stored', { instance_id: 'a\0b' }],
    ['an endless progress', { boot_progress: LONG }],
    ['an endless error', { boot_error: LONG }],
    ['an error that cannot be stored', { boot_error: 'a\0b' }],
    ['an endless address', { app_url: `https://${LONG}` }],
    ['endless times', { uptime: LONG, exited_at: LONG }],
  ])('%s of a VM', async (name, change) => {
    const at = await host(`vm-${name.replaceAll(' ', '-')}`);
    const { cvm } = await runningCvm(server.services, {
      host: at.host,
      ...who,
      name: `vm-${name.replaceAll(' ', '-')}`.toLowerCase(),
    });
    const info = await server.services.vmm.get(at.host.teepod).getInfo(cvm.host_vm_id ?? '');
    const bad = { ...info, ...change };
    at.fake.on('/prpc/Status', (_request, response) =>
      response.end(JSON.stringify({ vms: [bad], total: 1, port_mapping_enabled: true })),
    );
    at.fake.on('/prpc/GetInfo', (_request, response) =>
      response.end(JSON.stringify({ found: true, info: bad })),
    );
    await round(at.host);
    expect(await spoiled(at.host.teepod.id, cvm.public_id)).toEqual([]);
    const { instance_id } = await db()
      .selectFrom('cvms')
      .select('instance_id')
      .where('id', '=', cvm.id)
      .executeTakeFirstOrThrow();
    expect(instance_id).toBe(cvm.instance_id);
  });

  it('another version of an image that a second host has', async () => {
    const [honest, other] = [await host('honest'), await host('other')];
    const versionOf = async (version: string, { fake, host: at }: typeof honest) => {
      const images = [{ ...image, name: 'dstack-7.7.7', version }];
      fake.on('/prpc/ListImages', (_request, response) => response.end(JSON.stringify({ images })));
      await round(at);
      const row = await db()
        .selectFrom('os_images')
        .select('version')
        .where('name', '=', 'dstack-7.7.7')
        .executeTakeFirstOrThrow();
      return row.version;
    };
    expect(await versionOf('7.7.7', honest)).toBe('7.7.7');
    expect(await versionOf('0.0.1', other)).toBe('7.7.7');
  });

  it('other images each time it comes back', async () => {
    const { fake, host: at } = await host('rotating');
    let batch = 0;
    fake.on('/prpc/ListImages', (_request, response) => {
      batch += 1;
      const images = Array.from({ length: 500 }, (_, i) => ({ ...image, name: `rotating-${batch}-${i}` }));
      response.end(JSON.stringify({ images }));
    });
    const names = async () => {
      const rows = await db()
        .selectFrom('os_images')
        .select('name')
        .where('name', 'like', 'rotating-%')
        .execute();
      return rows.map(({ name }) => name);
    };
    await round(at);
    const decide = (name: string, change: { state?: 'retired'; os_image_hash_source?: 'administrator' }) =>
      db().updateTable('os_images').set(change).where('name', '=', name).execute();
    await decide('rotating-1-0', { state: 'retired' });
    await decide('rotating-1-1', { os_image_hash_source: 'administrator' });
    const app = await insertApp(db(), { ...who, host: at, name: 'on-rotating' });
    await insertCvm(db(), { ...app, host: at, ...who, change: { os_image: 'rotating-1-2' } });
    for (let i = 0; i < 4; i += 1) await round(at);
    const kept = await names();
    // Its current ones, the same number of others, and those that an administrator decided on or a CVM uses.
    expect(kept).toHaveLength(1003);
    expect(kept).toEqual(
      expect.arrayContaining(['rotating-1-0', 'rotating-1-1', 'rotating-1-2', 'rotating-5-0']),
    );
    expect(kept).not.toContain('rotating-1-3');
  });

  it('other digests each time it comes back', async () => {
    const [honest, other] = [await host('first-digest'), await host('other-digests')];
    const name = 'dstack-6.6.6';
    let tries = 0;
    const says = ({ fake }: typeof honest, digest: () => string) =>
      fake.on('/prpc/ListImages', (_request, response) => {
        const images = Array.from({ length: 30 }, (_, i) => ({
          ...image,
          name: `${name}-${i}`,
          description: JSON.stringify({ os_image_hash: digest() }),
        }));
        response.end(JSON.stringify({ images }));
      });
    says(honest, () => 'a'.repeat(64));
    await round(honest.host);
    says(other, () => (tries += 1).toString(16).padStart(64, '0'));
    for (let i = 0; i < 3; i += 1) await round(other.host);
    const noted = await db()
      .selectFrom('audit_log')
      .select('id')
      .where('action', '=', 'os_image.digest_differs')
      .where(sql<boolean>`after ->> 'teepod_id' = ${String(other.host.teepod.id)}`)
      .execute();
    expect(tries).toBe(90);
    expect(noted).toHaveLength(20);
  });
});
