import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CommitCvm, Provision } from '../../../../generated/api/types.gen';
import type { Database } from '../../../db/core/schema';
import { appIdFor } from '../../../domain/apps/appId';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { identityOf, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** What a provision reserves, for how long, and behavior beyond the limit. */
let server: TestServer;
let fake: FakeVmm;
let host: TestHost;
let member: TestClient;
let team_id: number;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  fake = await startFakeVmm();
  const { db } = server.services;
  host = await insertHost(db, { name: 'provisioning', url: fake.url });
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db,
  );
});
beforeEach(async () => {
  const { db } = server.services;
  await sql`delete from reservations`.execute(db);
  await db.updateTable('teepods').set({ max_cvms: 100 }).execute();
  member = await server.register();
  team_id = (await identityOf(db, member.email!)).team_id;
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const provision = (name: string, more: object = {}) =>
  member.call('provisionCvm', {
    body: {
      name,
      compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
      ...more,
    },
  });
const commit = ({ body }: { body: unknown }) => {
  const { app_id, compose_hash } = body as Provision;
  return member.call('createCvm', { body: { app_id, compose_hash } });
};
const expireAll = () =>
  sql`update reservations set expires_at = now() - interval '1 second' where expires_at is not null`.execute(
    server.services.db,
  );

it('enforces the quota for provisions whose reservation expired before they were committed', async () => {
  await server.services.db.updateTable('teams').set({ max_cvms: 1 }).where('id', '=', team_id).execute();
  const first = await provision('over-quota-1');
  expect(first.status).toBe(200);
  await expireAll();
  const second = await provision('over-quota-2');
  expect(second.status).toBe(200);
  await expireAll();
  expect((await commit(first)).status).toBe(200);
  const refused = await commit(second);
  expect([refused.status, refused.body]).toMatchObject([
    expect.any(Number),
    { detail: { message: expect.stringContaining('quota') } },
  ]);
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from cvms where team_id = ${team_id}`.execute(server.services.db);
  expect(rows[0]?.n).toBe(1);
});

it('reuses the reservation when the same name is provisioned again', async () => {
  await server.services.db.updateTable('teepods').set({ max_cvms: 1 }).execute();
  const first = await provision('tried-again');
  expect(first.status).toBe(200);
  const second = await provision('tried-again');
  expect([second.status, second.body]).toMatchObject([200, {}]);
  expect((await commit(second)).status).toBe(200);
  const third = await provision('another-one');
  expect(third.status).not.toBe(200);
});

it.each([
  ['host', { host_cvms: 1, max_cvms: 60 }],
  ['administrators', { host_cvms: 60, max_cvms: 1 }],
])('accepts no more CVMs than the %s allow, whichever limit is smaller', async (_, limits) => {
  const { db } = server.services;
  await db.updateTable('teepods').set(limits).execute();
  const first = await provision('last-slot');
  expect(first.status).toBe(200);
  expect((await commit(first)).status).toBe(200);
  const second = await provision('one-too-many');
  expect(second.body).toMatchObject({
    error_code: 'ERR-02-005',
    detail: { message: expect.stringContaining('limit: CVM slots') },
  });
  // Nothing was started beyond the host's limits.
  const { rows: made } = await sql<{ name: string }>`
    select name from cvms where team_id = ${team_id}`.execute(db);
  expect(made).toEqual([{ name: 'last-slot' }]);
  await db.updateTable('teepods').set({ host_cvms: null }).execute();
});

it('skips wallet nonces that a client has used', async () => {
  const { wallet_address, next_nonce } = await server.services.db
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', team_id)
    .executeTakeFirstOrThrow();
  for (const nonce of [next_nonce, next_nonce + 1]) {
    const own = await provision(`own-number-${nonce}`, { nonce, app_id: appIdFor(wallet_address, nonce) });
    expect([own.status, own.body]).toMatchObject([200, {}]);
  }
  const next = await provision('next-number');
  expect([next.status, next.body]).toMatchObject([200, { app_id: appIdFor(wallet_address, next_nonce + 2) }]);
});

it('accepts custom_app_id as an alias of app_id', async () => {
  const { wallet_address, next_nonce: nonce } = await server.services.db
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', team_id)
    .executeTakeFirstOrThrow();
  const app_id = appIdFor(wallet_address, nonce);
  const other = appIdFor(wallet_address, nonce + 1);
  for (const wrong of [{ custom_app_id: other }, { custom_app_id: app_id, app_id: other }])
    expect(await provision('custom-number', { nonce, ...wrong })).toMatchObject({
      status: 400,
      body: { error_code: 'ERR-02-008' },
    });
  expect(await provision('custom-number', { custom_app_id: app_id })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'custom_app_id' }] },
  });
  expect(await provision('custom-number', { nonce, custom_app_id: `0x${app_id}` })).toMatchObject({
    status: 200,
    body: { app_id },
  });
  // A client that lost the reply repeats the request; another deployment can't take the ID.
  const again = await provision('custom-number', { nonce, custom_app_id: app_id });
  expect([again.status, again.body]).toMatchObject([200, { app_id }]);
  expect(await provision('other-number', { nonce, custom_app_id: app_id })).toMatchObject({
    status: 409,
    body: { error_code: 'ERR-03-007' },
  });
  expect((await commit(again)).status).toBe(200);
});

it('rejects a nonce without its app ID', async () => {
  expect(await provision('lone-number', { nonce: 4 })).toMatchObject({
    status: 400,
    body: { error_code: 'ERR-02-008', details: [{ field: 'nonce' }] },
  });
});

it('rejects a nonce that is too large', async () => {
  const { wallet_address } = await server.services.db
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', team_id)
    .executeTakeFirstOrThrow();
  const nonce = 2 ** 40;
  const answer = await provision('huge-number', { nonce, app_id: appIdFor(wallet_address, nonce) });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});

it('uses the KMS of the requested host', async () => {
  const { db } = server.services;
  const other = await insertHost(db, { name: 'second-kms', url: fake.url });
  await db
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', other.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${other.teepod.id}, id from os_images`.execute(
    db,
  );
  for (const field of ['node_id', 'teepod_id'])
    expect(await provision(`on-${field.replace('_', '-')}`, { [field]: other.teepod.id })).toMatchObject({
      status: 200,
      body: { teepod_id: other.teepod.id, kms_id: other.kms.public_id },
    });
});

it('honors every part of a GPU request', async () => {
  expect((await provision('no-gpus', { gpus: { count: 0, product_name: null } })).status).toBe(200);
  for (const [field, gpus] of [
    ['gpus.count', { count: 1 }],
    ['gpus.product_name', { count: 0, product_name: 'H200' }],
  ] as const)
    expect(await provision('with-gpus', { gpus })).toMatchObject({
      status: 400,
      body: { details: [{ field }] },
    });
  for (const gpus of [{}, { count: -1 }, { count: { deep: 1 } }, [1]])
    expect((await provision('bad-gpus', { gpus })).status).toBe(422);
});

it('rejects variable names that would abort the guest’s boot', async () => {
  const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
  for (const wrong of ['2FA', 'WITH-DASH', 'A'.repeat(256)])
    expect(
      await provision('bad-names', { compose_file: { ...compose_file, allowed_envs: ['GOOD', wrong] } }),
    ).toMatchObject({
      status: 400,
      body: { details: [{ field: 'compose_file.allowed_envs', value: wrong }] },
    });
});

it('accepts any identifier of the KMS, and returns its contract', async () => {
  const { kms } = host;
  const contract = kms.public_id.replace('kms_', 'kmsc_');
  const names = [
    { kms_contract_id: contract },
    { kms_contract_id: kms.id },
    { kms_contract: kms.slug },
    { kms_type: 'PHALA' },
    { kms_id: kms.public_id, kms_type: 'base' },
  ];
  for (const [n, named] of names.entries()) {
    const { status, body } = await provision(`named-kms-${n}`, named);
    expect([status, body], JSON.stringify(named)).toMatchObject([
      200,
      { kms_id: kms.public_id, kms_contract_id: contract },
    ]);
  }
  expect(await provision('named-kms-x', { kms_contract_id: 'kmsc_nothing' })).toMatchObject({
    status: 400,
    body: { code: 'ERR-02-011', details: [{ field: 'kms_contract_id', value: 'kmsc_nothing' }] },
  });
  expect((await provision('named-kms-y', { key_provider_mode: 'tpm' })).status).toBe(422);
});

it('returns the contract shared with an older KMS replica', async () => {
  const { db } = server.services;
  const { url } = await db
    .selectFrom('kms')
    .select('url')
    .where('id', '=', host.kms.id)
    .executeTakeFirstOrThrow();
  const replica = await db
    .insertInto('kms')
    .values({ public_id: 'kms_replica', slug: 'replica', url, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .returning('id')
    .executeTakeFirstOrThrow();
  const under = (kms_id: number) =>
    db.updateTable('teepods').set({ kms_id }).where('id', '=', host.teepod.id).execute();
  await under(replica.id);
  const answer = await provision('under-replica', { kms_id: 'replica' });
  await under(host.kms.id);
  expect(answer).toMatchObject({
    status: 200,
    body: { kms_id: 'kms_replica', kms_contract_id: host.kms.public_id.replace('kms_', 'kmsc_') },
  });
  const contract = await member.call('getKms', { path: { kms: 'replica' } });
  expect(contract.body.id).toBe((answer.body as Provision).kms_contract_id);
});

it('omits the gateway and selects the file system as newer clients request', async () => {
  const hashOf = async (name: string, more: object) =>
    ((await provision(name, more)).body as Provision).compose_hash;
  const name = 'file-system';
  const plain = await hashOf(name, {});
  const file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
  const measured = await hashOf(name, {
    compose_file: { ...file, gateway_enabled: false, storage_fs: 'ext4' },
  });
  expect(await hashOf(name, { skip_gateway: true, storage_fs: 'ext4', key_provider_mode: 'kms' })).toBe(
    measured,
  );
  expect(await hashOf(name, { skip_gateway: false })).toBe(plain);
  expect(measured).not.toBe(plain);
});

it('schedules the deletion of a CVM when it is created', async () => {
  const create = async (name: string, scheduled_delete_at: string) => {
    const { app_id, compose_hash } = (await provision(name)).body as Provision;
    return member.call('createCvm', { body: { app_id, compose_hash, scheduled_delete_at } });
  };
  for (const past of ['2020-01-01T00:00:00Z', new Date(Date.now() + 400 * 86_400_000).toISOString()])
    expect(await create('too-early-late', past)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'scheduled_delete_at' }] },
    });
  expect((await create('no-zone', '2027-01-01T00:00:00')).status).toBe(422);

  const at = new Date(Date.now() + 7_200_000).toISOString();
  const { status, body } = await create('for-two-hours', at);
  expect(status, JSON.stringify(body)).toBe(200);
  const { vm_uuid } = body as CommitCvm;
  const { body: cvm } = await member.call('getCvm', { path: { cvm_id: vm_uuid ?? '' } });
  expect(cvm).toMatchObject({ name: 'for-two-hours', scheduled_delete_at: at });
  const { db } = server.services;
  const row = await db
    .selectFrom('cvms')
    .select(['id', 'delete_warned_at'])
    .where('vm_uuid', '=', vm_uuid ?? '')
    .executeTakeFirstOrThrow();
  // The team hasn't been warned yet.
  expect(row.delete_warned_at).toBeNull();
  const events = await db.selectFrom('events').select('kind').where('cvm_id', '=', row.id).execute();
  expect(events.map(({ kind }) => kind)).toContain('cvm.schedule_delete');
  const { after } = await db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'cvm.create')
    .where('team_id', '=', team_id)
    .executeTakeFirstOrThrow();
  expect(after).toMatchObject({ scheduled_delete_at: at });
});

/** Adds hosts with more room than the first, and without an OS image. */
const addLarger = (hosts: number) =>
  sql`
    insert into teepods (node_id, kms_id, name, kind, url, reachable, version, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
    select node_id, kms_id, 'larger-' || n, kind, url || '/' || n, true, version, 1000, 1000, 1000000, 100000
    from teepods, generate_series(1, ${hosts}::int) n where id = ${host.teepod.id}`.execute(
    server.services.db,
  );

it('finds the only host with an OS image behind hundreds that have more room', async () => {
  const { db } = server.services;
  await addLarger(300);
  try {
    const made = await provision('among-many');
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const { rows } = await sql<{ teepod_id: number }>`
      select teepod_id from reservations order by id desc limit 1`.execute(db);
    expect(rows).toEqual([{ teepod_id: host.teepod.id }]);
  } finally {
    await sql`delete from teepods where name like 'larger-%'`.execute(db);
  }
});

/** Provisions, and runs `between` after hosts are chosen and before one is reserved. */
async function provisionWhile(name: string, work: (trx: Transaction<Database>) => Promise<unknown>) {
  const { db } = server.services;
  const { answer } = await db.transaction().execute(async (trx) => {
    // Every deployment of the team waits for this lock once it has chosen hosts.
    await trx.selectFrom('teams').select('id').where('id', '=', team_id).forNoKeyUpdate().execute();
    const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const provisioning = provision(name);
    await eventually('it has chosen hosts', async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where ${own.rows[0]?.pid}::int = any(pg_blocking_pids(pid))`.execute(
        db,
      );
      return rows.length > 0;
    });
    await work(trx);
    return { answer: provisioning };
  });
  return answer;
}

it('tries other hosts if all its choices filled up before it reserved one', async () => {
  const { db } = server.services;
  await addLarger(64);
  await sql`
    insert into teepod_os_images (teepod_id, os_image_id)
    select t.id, i.id from teepods t, os_images i where t.name like 'larger-%'`.execute(db);
  try {
    const made = await provisionWhile('the-65th', (trx) =>
      sql`update teepods set max_cvms = 0 where name like 'larger-%'`.execute(trx),
    );
    expect([made.status, made.body]).toMatchObject([200, { teepod_id: host.teepod.id }]);
    expect((await commit(made)).status).toBe(200);

    await sql`update teepods set max_cvms = 100 where name like 'larger-%'`.execute(db);
    const refused = await provisionWhile('the-66th', (trx) =>
      sql`update teepods set max_cvms = 0`.execute(trx),
    );
    expect(refused.body).toMatchObject({
      error_code: 'ERR-02-005',
      detail: { message: expect.stringContaining('limit: CVM slots') },
    });
    const { rows } = await sql`select 1 from provisions where name = 'the-66th'`.execute(db);
    expect(rows).toEqual([]);
  } finally {
    await sql`delete from teepods where name like 'larger-%'`.execute(db);
  }
});
