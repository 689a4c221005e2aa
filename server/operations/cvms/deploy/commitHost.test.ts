import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Provision } from '../../../../generated/api/types.gen';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** A host that stops accepting CVMs between a provision and its commit, or that is nearly full. */
let server: TestServer;
let fake: FakeVmm;
let host: TestHost;
let member: TestClient;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  host = await insertHost(db, { name: 'closing', url: fake.url });
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db,
  );
  member = await server.register();
});
beforeEach(() => set('online'));
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const set = (state: 'online' | 'cordoned' | 'draining' | 'offline') =>
  server.services.db.updateTable('teepods').set({ state }).where('id', '=', host.teepod.id).execute();

async function provision(name: string) {
  const { body, status } = await member.call('provisionCvm', {
    body: { name, compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' } },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const { app_id, compose_hash } = body as Provision;
  return () => member.call('createCvm', { body: { app_id, compose_hash } });
}

it.each(['draining', 'offline'] as const)('gets no CVM while it is %s', async (state) => {
  const commit = await provision(`reserved-${state}`);
  await set(state);
  expect((await commit()).body).toMatchObject({
    error_code: 'ERR-00-028',
    detail: { message: 'The host closing has been taken out of service since the reservation.' },
  });
  await set('online');
  expect((await commit()).status, 'back in service').toBe(200);
});

it('gets the CVMs it reserved capacity for before it was cordoned, but no later ones', async () => {
  const [commit, late] = [await provision('in-time'), await provision('too-late')];
  await set('cordoned');
  expect((await commit()).status).toBe(200);
  await sql`update reservations set expires_at = now() - interval '1 second' where expires_at is not null`.execute(
    server.services.db,
  );
  expect((await late()).body).toMatchObject({
    error_code: 'ERR-00-028',
    detail: { message: 'The reservation expired, and the host closing no longer accepts new CVMs.' },
  });
});

it('gets no CVM whose KMS, OS image or instance type was retired or removed since it was provisioned', async () => {
  const { db } = server.services;
  const commit = await provision('retired-since');
  const setKms = (state: 'active' | 'retiring') =>
    db.updateTable('kms').set({ state }).where('id', '=', host.kms.id).execute();
  const setImage = (state: 'active' | 'retired') =>
    db.updateTable('os_images').set({ state }).where('name', '=', 'dstack-0.6.0').execute();
  await setKms('retiring');
  expect((await commit()).body).toMatchObject({
    error_code: 'ERR-00-028',
    detail: { message: expect.stringContaining('no longer accepts new apps') },
  });
  await setKms('active');
  await setImage('retired');
  expect((await commit()).body).toMatchObject({
    error_code: 'ERR-00-028',
    detail: { message: 'The OS image “dstack-0.6.0” has been retired since the reservation.' },
  });
  const body = {
    name: 'retired-before',
    compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
  };
  expect(await member.call('provisionCvm', { body: { ...body, image: 'dstack-0.6.0' } })).toMatchObject({
    status: 400,
    body: { code: 'ERR-02-010', detail: { message: expect.stringContaining('is retired') } },
  });
  expect(await member.call('provisionCvm', { body })).toMatchObject({
    status: 400,
    body: { code: 'ERR-02-010' },
  });
  await setImage('active');
  const removed = await db
    .deleteFrom('teepod_os_images')
    .where('teepod_id', '=', host.teepod.id)
    .returningAll()
    .execute();
  expect((await commit()).body).toMatchObject({
    detail: { message: expect.stringContaining('removed from the host') },
  });
  await db.insertInto('teepod_os_images').values(removed).execute();
  const setType = (state: 'active' | 'retired') =>
    db.updateTable('instance_types').set({ state }).where('id', '=', 'tdx.small').execute();
  await setType('retired');
  expect((await commit()).body).toMatchObject({
    error_code: 'ERR-00-028',
    detail: { message: 'The instance type “tdx.small” has been retired since the reservation.' },
  });
  await setType('active');
  expect((await commit()).status, 'available again').toBe(200);
});

it('is committed at no higher price than it was provisioned at, and as the same size', async () => {
  const { db } = server.services;
  const reprice = (change: object) =>
    db.updateTable('instance_types').set(change).where('id', '=', 'tdx.small').execute();
  const before = await db
    .selectFrom('instance_types')
    .select(['vcpu', 'hourly_rate_micros', 'default_disk_size_gb'])
    .where('id', '=', 'tdx.small')
    .executeTakeFirstOrThrow();
  const refused = async (
    commit: () => Promise<{ body: unknown }>,
    message: RegExp,
    prices: { field: string; value: string }[],
  ) =>
    expect((await commit()).body).toMatchObject({
      error_code: 'ERR-00-028',
      detail: { message: expect.stringMatching(message), details: prices },
      details: prices,
    });
  const commit = await provision('repriced-since');
  await reprice({ hourly_rate_micros: before.hourly_rate_micros + 1000 });
  await refused(
    commit,
    /^The price of the instance type “tdx\.small” has risen .*from \$0\.058 to \$0\.059 an/,
    [
      { field: 'hourly_rate', value: '0.059' },
      { field: 'previous_hourly_rate', value: '0.058' },
    ],
  );
  // Less disk for the same price costs more, too.
  await reprice({ ...before, default_disk_size_gb: 1 });
  await refused(commit, /has risen/, [
    { field: 'hourly_rate', value: expect.any(String) as string },
    { field: 'previous_hourly_rate', value: '0.058' },
  ]);
  await reprice({ ...before, vcpu: before.vcpu + 1 });
  await refused(commit, /^The size of the instance type “tdx\.small” has changed/, []);
  const lower = before.hourly_rate_micros - 1000;
  await reprice({ ...before, hourly_rate_micros: lower });
  expect((await commit()).status).toBe(200);
  const cvm = await db
    .selectFrom('cvms')
    .select('hourly_rate_micros')
    .where('name', '=', 'repriced-since')
    .executeTakeFirstOrThrow();
  expect(cvm.hourly_rate_micros).toBe(lower);
  await reprice(before);
  // Provisions made before the rate was recorded have none to compare.
  const earlier = await provision('earlier');
  await db
    .updateTable('provisions')
    .set({ hourly_rate_micros: null })
    .where('name', '=', 'earlier')
    .execute();
  await reprice({ hourly_rate_micros: before.hourly_rate_micros + 1000 });
  expect((await earlier()).status).toBe(200);
  await reprice(before);
});

it('offers the largest size that fits on the chosen host, however much room others have', async () => {
  const { db } = server.services;
  const { teepod } = await insertHost(db, { name: 'small', url: fake.url, region: 'us-east' });
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${teepod.id}, id from os_images`.execute(
    db,
  );
  const room = (max_vcpu: number, max_memory_mb: number) =>
    db
      .updateTable('teepods')
      .set({ kms_id: host.kms.id, max_vcpu, max_memory_mb })
      .where('id', '=', teepod.id)
      .execute();
  const offered = async (place: { teepod_id?: number; region?: string }) => {
    const { body } = await member.call('deployPreflight', {
      body: {
        name: 'choosy',
        compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
        instance_type: 'tdx.large',
        ...place,
      },
    });
    return body.refusal?.limit === 'capacity' ? body.refusal.next_smaller : body.fits;
  };
  await room(1, 1024);
  expect(await offered({})).toBe(true);
  expect(await offered({ teepod_id: teepod.id })).toBeNull();
  expect(await offered({ region: 'us-east' })).toBeNull();
  await room(1, 2048);
  expect(await offered({ teepod_id: teepod.id })).toBe('tdx.small');
  expect(await offered({ region: 'us-east' })).toBe('tdx.small');
});

/** Runs `work` while another transaction holds this lock on a host. */
async function whileLocked(id: number, lock: 'for no key update' | 'for share', work: () => Promise<void>) {
  await server.services.db.transaction().execute(async (trx) => {
    await sql`select id from teepods where id = ${id} ${sql.raw(lock)}`.execute(trx);
    await work();
  });
}

it('is passed over for one that is as good while another deployment reserves on it', async () => {
  const { db } = server.services;
  const { teepod } = await insertHost(db, { name: 'second-best', url: fake.url });
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${teepod.id}, id from os_images`.execute(
    db,
  );
  await db
    .updateTable('teepods')
    .set({ kms_id: host.kms.id, max_memory_mb: 50_000 })
    .where('id', '=', teepod.id)
    .execute();
  const place = async (name: string) => {
    const { body, status } = await member.call('provisionCvm', {
      body: { name, compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' } },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return (body as Provision).teepod_id;
  };
  expect(await place('on-the-best')).toBe(host.teepod.id);
  await whileLocked(host.teepod.id, 'for no key update', async () => {
    expect(await place('next-best')).toBe(teepod.id);
  });
  // With nothing else to choose, it waits.
  await db.updateTable('teepods').set({ max_cvms: 0 }).where('id', '=', teepod.id).execute();
  let waiting: Promise<unknown> | undefined;
  await whileLocked(host.teepod.id, 'for no key update', async () => {
    waiting = place('only-one');
  });
  expect(await waiting).toBe(host.teepod.id);
});

it('takes commits while others are in progress', async () => {
  const commit = await provision('side-by-side');
  await whileLocked(host.teepod.id, 'for share', async () => {
    expect((await commit()).status).toBe(200);
  });
});
