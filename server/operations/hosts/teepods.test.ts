import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { syncImages } from '../../db/hosts/hosts';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import type { TestClient, TestServer } from '../../testing/server';
import { problemOf, startAdminTest, unique, type AdminTest } from '../core/admin/testing/admin';

let server: TestServer;
let admin: TestClient;
let node: AdminTest['node'];
let audits: AdminTest['audits'];
let fake: FakeVmm;

beforeAll(async () => {
  ({ server, admin, node, audits } = await startAdminTest());
  fake = await startFakeVmm({ token: 'correct-token' });
});

afterAll(async () => {
  await fake?.close();
  await server?.stop();
});

describe('teepods', () => {
  const secret = 'correct-token';
  const create = async (body: Record<string, unknown> = {}) =>
    admin.call('createAdminTeepod', {
      body: { node_id: await node(), name: unique('pod'), url: fake.at(unique('pod')), ...body },
    });

  it('are queried when created; the credential is sealed, masked and never returned', async () => {
    const reply = await create({ credential_kind: 'bearer', credential: secret, tee: 'sev_snp' });
    expect(reply.status).toBe(201);
    const made = reply.body as { id: number };
    expect(reply.body).toMatchObject({
      reachable: true,
      has_credential: true,
      credential_kind: 'bearer',
      tee: 'sev_snp',
      version: '0.6.0',
      max_cvms: 1000,
      max_vcpu: 20,
      max_memory_mb: 100_000,
      last_error: null,
    });
    const read = await admin.call('getAdminTeepod', { path: { id: made.id } });
    expect((read.body as { os_images: string[] }).os_images.length).toBeGreaterThan(0);
    const row = await server.services.db
      .selectFrom('teepods')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify([reply.body, read.body, row, await audits('teepod', made.id)])).not.toContain(
      secret,
    );
    expect(server.services.seal.open('teepod-credential', row.sealed_credential ?? '')).toBe(secret);
    expect((await audits('teepod', made.id))[0]?.after).toMatchObject({ credential: '•••' });
  });

  it('that refuse us when added get their capacity when they first respond', async () => {
    const reply = await create({ credential_kind: 'bearer', credential: 'wrong', max_vcpu: 7 });
    const { id } = reply.body as { id: number };
    expect(reply.body).toMatchObject({ reachable: false, max_cvms: 0, max_vcpu: 7, max_memory_mb: 0 });
    const { body } = await admin.call('checkAdminTeepod', { path: { id } });
    expect(JSON.stringify(body)).toContain('htpasswd_file. Before 0.6');
    const fixed = await admin.call('updateAdminTeepod', { path: { id }, body: { credential: secret } });
    expect(fixed.body).toMatchObject({
      reachable: true,
      max_cvms: 1000,
      max_vcpu: 7,
      max_memory_mb: 100_000,
    });
    const checked = await admin.call('checkAdminTeepod', { path: { id } });
    expect((checked.body as AdminTeepodCheck).checks.find(({ name }) => name === 'capacity')).toMatchObject({
      state: 'failed',
      found: 'Max disk: 0, so no CVM fits on this host.',
    });
    // An entered 0 is kept.
    await admin.call('updateAdminTeepod', { path: { id }, body: { max_cvms: 0 } });
    await admin.call('updateAdminTeepod', { path: { id }, body: { credential: 'wrong' } });
    await admin.call('updateAdminTeepod', { path: { id }, body: { credential: secret } });
    expect((await admin.call('getAdminTeepod', { path: { id } })).body).toMatchObject({ max_cvms: 0 });
  });

  it('are summarized on their node with its state and GPUs in use', async () => {
    const node_id = await node();
    const limits = { max_cvms: 2_147, max_vcpu: 10, max_memory_mb: 2_147_483_647, max_disk_gb: 10 };
    const first = (await create({ node_id, credential_kind: 'bearer', credential: secret, ...limits }))
      .body as {
      id: number;
    };
    await create({ node_id, credential_kind: 'bearer', credential: secret, ...limits });
    const sums = await admin.call('getAdminNode', { path: { id: node_id } });
    expect(sums.body).toMatchObject({
      teepod_count: 2,
      used_cvms: 0,
      // Each host reports that it runs 1,000 at most.
      max_cvms: 2_000,
      max_vcpu: 20,
      // The most that a reply can hold.
      max_memory_mb: 2_147_483_647,
    });
    await admin.call('updateAdminNode', { path: { id: node_id }, body: { state: 'maintenance' } });
    const { db } = server.services;
    await db
      .insertInto('gpus')
      .values([
        { teepod_id: first.id, slot: '18:00.0', used_elsewhere: true },
        { teepod_id: first.id, slot: '3b:00.0' },
      ])
      .execute();
    const read = await admin.call('getAdminTeepod', { path: { id: first.id } });
    expect(read.body).toMatchObject({
      state: 'online',
      node_state: 'maintenance',
      gpu_count: 2,
      used_gpus: 1,
    });
  });

  it('are saved with the error when unreachable', async () => {
    const reply = await create({ credential_kind: 'bearer', credential: 'wrong-token' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ reachable: false, version: null, max_cvms: 0 });
    const made = reply.body as { id: number; last_error: string };
    expect(made.last_error).toMatch(/credential|401|unauthori/i);
    expect(made.last_error).not.toContain('wrong-token');
    const corrected = await admin.call('updateAdminTeepod', {
      path: { id: made.id },
      body: { credential: secret },
    });
    expect(corrected.body).toMatchObject({ reachable: true, last_error: null, version: '0.6.0' });
    const removed = await admin.call('updateAdminTeepod', {
      path: { id: made.id },
      body: { credential: null },
    });
    expect(removed.body).toMatchObject({ has_credential: false, credential_kind: 'none', reachable: false });
    const trail = JSON.stringify(await audits('teepod', made.id));
    expect(trail).toContain('•••');
    expect(trail).not.toContain(secret);
    expect(trail).not.toContain('v1.');
  });

  it.each([
    [{ credential_kind: 'bearer' }, 'credential'],
    [{ credential: 'x' }, 'credential_kind'],
    [{ credential_kind: 'basic', credential: 'no-colon' }, 'credential'],
    [{ credential_kind: 'bearer', credential: 'a\nb' }, 'credential'],
    [{ node_id: 999_999 }, 'node_id'],
    [{ kms_id: 999_999 }, 'kms_id'],
    [{ url: 'https://user:pass@host' }, 'url'],
  ])('reject %j and name the field', async (body, field) => {
    const reply = await create(body);
    expect(reply.status).toBe(422);
    expect(problemOf(reply.body).detail.details[0]?.field).toBe(field);
  });

  it('require the credential again when the host changes', async () => {
    const given = { credential_kind: 'bearer', credential: secret, url: 'http://127.0.0.1:9' };
    const { id, url } = (await create(given)).body as { id: number; url: string };
    const move = (body: Record<string, unknown>) =>
      admin.call('updateAdminTeepod', { path: { id }, body: { url: fake.url, ...body } });
    for (const body of [{}, { credential_kind: 'bearer' }]) {
      const refused = await move(body);
      expect(refused.status).toBe(422);
      expect(problemOf(refused.body).detail.details[0]?.field).toBe('credential');
    }
    // Another path on the same host, and another host, which gets no credential.
    expect((await move({ url: `${url}/vmm` })).status).toBe(200);
    expect((await move({ credential: null })).body).toMatchObject({ has_credential: false });
    expect((await move({ credential_kind: 'bearer', credential: secret })).body).toMatchObject({
      has_credential: true,
    });
  });

  it('are updated under If-Match, and reject a taken name', async () => {
    const one = (await create()).body as { id: number; name: string };
    const other = (await create()).body as { name: string };
    const etag = (await admin.call('getAdminTeepod', { path: { id: one.id } })).headers.get('etag') ?? '';
    const changed = await admin.call('updateAdminTeepod', {
      path: { id: one.id },
      body: { state: 'cordoned', max_cvms: 3 },
      headers: { 'if-match': etag },
    });
    expect(changed.body).toMatchObject({ state: 'cordoned', max_cvms: 3 });
    const fresh = await admin.call('getAdminTeepod', { path: { id: one.id } });
    expect(fresh.headers.get('etag')).toBe(changed.headers.get('etag'));
    const stale = { path: { id: one.id }, body: { max_cvms: 4 }, headers: { 'if-match': etag } };
    expect((await admin.call('updateAdminTeepod', stale)).status).toBe(412);
    const twin = await admin.call('updateAdminTeepod', { path: { id: one.id }, body: { name: other.name } });
    expect(twin.status).toBe(409);
    expect(
      (await admin.call('updateAdminTeepod', { path: { id: one.id }, body: { kind: 'local' } })).status,
    ).toBe(422);
    expect((await admin.call('updateAdminTeepod', { path: { id: 999_999 }, body: {} })).status).toBe(404);
    const byNode = await admin.call('listAdminTeepods', {
      query: { sort: '["used_cvms","DESC"]', filter: JSON.stringify({ id: [one.id] }) },
    });
    expect(byNode.body).toMatchObject([{ id: one.id, used_cvms: 0 }]);
  });

  it.each([
    ['another spelling of the host', (url: URL) => `http://localhost:${url.port}${url.pathname}`],
    ['another scheme', (url: URL) => `https://127.0.0.1:${url.port}${url.pathname}`],
    ['a trailing slash', (url: URL) => `${url.href}/`],
    ['an IPv6 form of the same address', (url: URL) => `http://[::1]:${url.port}${url.pathname}`],
  ])('reject another teepod’s address: %s', async (_spelling, spell) => {
    const { id, url } = (await create()).body as { id: number; url: string };
    const refused = await create({ url: spell(new URL(url)) });
    expect(refused.status).toBe(409);
    expect(problemOf(refused.body).detail.details).toEqual([
      { field: 'url', message: 'A teepod with this address already exists.' },
    ]);
    const other = (await create()).body as { id: number };
    const moved = await admin.call('updateAdminTeepod', {
      path: { id: other.id },
      body: { url: spell(new URL(url)) },
    });
    expect(moved.status).toBe(409);
    // Its own address, spelled differently, is no conflict.
    const own = await admin.call('updateAdminTeepod', { path: { id }, body: { url: `${url}/` } });
    expect(own.status).toBe(200);
  });

  it('refuse control characters in the path of a socket', async () => {
    for (const url of ['unix:/run/a\nb.sock', 'unix:/run/\u001b.sock'])
      expect(await create({ url })).toMatchObject({ status: 422, body: { details: [{ field: 'url' }] } });
  });

  it('accept an address once when it is added twice concurrently', async () => {
    const url = fake.at(unique('pod'));
    const replies = await Promise.all([create({ url }), create({ url })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('keep the URL and name of the built-in one, which cannot be deleted', async () => {
    const { db } = server.services;
    const node_id = await node();
    const capacity = { max_cvms: 1, max_vcpu: 1, max_memory_mb: 1, max_disk_gb: 1 };
    const { id } = await db
      .insertInto('teepods')
      .values({ name: unique('local'), kind: 'local', node_id, url: 'unix:/nowhere.sock', ...capacity })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const body of [{ url: fake.url }, { name: 'other' }, { credential_kind: 'bearer', credential: 'x' }])
      expect((await admin.call('updateAdminTeepod', { path: { id }, body })).status).toBe(422);
    const twin = await create({ url: 'unix:///nowhere.sock' });
    expect(twin.status).toBe(409);
    expect(problemOf(twin.body).detail.message).toContain('built-in teepod');
    const limited = await admin.call('updateAdminTeepod', {
      path: { id },
      body: { max_cvms: 5, listed: false },
    });
    expect(limited.body).toMatchObject({ max_cvms: 5, listed: false });
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(409);
    const renamed = await admin.call('updateAdminNode', { path: { id: node_id }, body: { name: 'other' } });
    expect(renamed.status).toBe(422);
    await db.deleteFrom('teepods').where('id', '=', id).execute();
  });

  it("keep an image's first digest when another host reports a different one", async () => {
    const { db } = server.services;
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) ids.push(((await create()).body as { id: number }).id);
    const [first = 0, silent = 0, conflicting = 0] = ids;
    const name = unique('dstack');
    const report = (id: number, os_image_hash: string | null) =>
      syncImages(db, id, [{ name, version: '0.6.0', is_dev: false, os_image_hash }]);
    const digest = async () =>
      (
        await db
          .selectFrom('os_images')
          .select(['id', 'os_image_hash'])
          .where('name', '=', name)
          .executeTakeFirstOrThrow()
      ).os_image_hash;
    await report(first, 'a'.repeat(64));
    await report(silent, null);
    expect(await digest()).toBe('a'.repeat(64));
    await report(conflicting, 'b'.repeat(64));
    expect(await digest()).toBe('a'.repeat(64));
    const hosting = await db
      .selectFrom('teepod_os_images')
      .innerJoin('os_images', 'os_images.id', 'os_image_id')
      .select('teepod_id')
      .where('name', '=', name)
      .orderBy('teepod_id')
      .execute();
    expect(
      hosting.map(({ teepod_id }) => teepod_id),
      'hosts of the original image',
    ).toEqual([first, silent]);
    const { id } = await db
      .selectFrom('os_images')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    expect((await audits('os_image', id)).map(({ action }) => action)).toEqual(['os_image.digest_differs']);
    // The only host that has an image may replace it with a rebuilt one.
    await report(silent, 'a'.repeat(64));
    await db.deleteFrom('teepod_os_images').where('teepod_id', '=', silent).execute();
    await report(first, 'c'.repeat(64));
    expect(await digest()).toBe('c'.repeat(64));
  });

  it('are deleted', async () => {
    const { id } = (await create()).body as { id: number };
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(204);
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(404);
    expect((await admin.call('getAdminTeepod', { path: { id } })).status).toBe(404);
    expect((await audits('teepod', id)).at(-1)?.action).toBe('teepod.delete');
  });
});

describe('hosts and instance types in use', () => {
  /**
   * Creates a provision as a deployment leaves it: it holds a host and a size until it is committed or
   * expires.
   */
  async function provision(teepod_id: number, instance_type: string, expires_at: Date) {
    const { db } = server.services;
    const { id: team_id } = await db.selectFrom('teams').select('id').limit(1).executeTakeFirstOrThrow();
    const flags = { public_logs: false, public_sysinfo: false, public_tcbinfo: false, listed: false };
    const size = { vcpu: 1, memory_mb: 1024, disk_gb: 10 };
    const { id } = await db
      .insertInto('provisions')
      .values({
        ...flags,
        ...size,
        team_id,
        app_id: 'a'.repeat(40),
        compose_hash: 'b'.repeat(64),
        app_compose: '{}',
        docker_compose_file: '',
        name: unique('app'),
        instance_type,
        os_image: 'image',
        env_pubkey: '',
        teepod_id,
        expires_at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('reservations')
      .values({ ...size, teepod_id, team_id, provision_id: id, expires_at })
      .execute();
    return id;
  }

  it('cannot be deleted while the recycle bin has a disk on them', async () => {
    const { db } = server.services;
    const { team_id } = await identityOf(db, admin.email!);
    const host = await insertHost(db, { name: unique('bin'), kind: 'dstack_vmm' });
    const app = await insertApp(db, { team_id, host, name: unique('binned') });
    const change = {
      status: 'stopped',
      deleted_at: new Date(),
      purge_at: new Date(Date.now() + 60_000),
    } as const;
    await insertCvm(db, { ...app, host, change });
    const refused = await admin.call('deleteAdminTeepod', { path: { id: host.teepod.id } });
    expect(refused.status).toBe(409);
    expect(problemOf(refused.body).detail.message).toMatch(/has the disks of one CVM in the recycle bin/);
  });

  it('cannot be deleted until the reservation expires', async () => {
    const { db } = server.services;
    const made = await admin.call('createAdminTeepod', {
      body: { node_id: await node(), name: unique('pod'), url: fake.at(unique('pod')) },
    });
    const { id } = made.body as { id: number };
    const held = await provision(id, 'tdx.large', new Date(Date.now() + 60_000));
    const read = await admin.call('getAdminTeepod', { path: { id } });
    expect(read.body).toMatchObject({ used_cvms: 1, used_vcpu: 1, used_memory_mb: 1024, used_disk_gb: 10 });
    const host = await admin.call('deleteAdminTeepod', { path: { id } });
    const size = await admin.call('deleteAdminInstanceType', { path: { id: 'tdx.large' } });
    for (const refused of [host, size]) {
      expect(refused.status).toBe(409);
      expect(problemOf(refused.body).code).toBe('ERR-00-021');
      expect(problemOf(refused.body).detail.message).toMatch(/prepared/);
    }
    await db
      .updateTable('reservations')
      .set({ expires_at: new Date(0) })
      .where('provision_id', '=', held)
      .execute();
    // It can be committed for days, but holds nothing anymore.
    expect((await admin.call('deleteAdminTeepod', { path: { id } })).status).toBe(204);
    expect((await admin.call('deleteAdminInstanceType', { path: { id: 'tdx.large' } })).status).toBe(204);
  });
});
