import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CurrentUser, Preflight, Problem, Provision } from '../../../generated/api/types.gen';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { accruedUsage } from '../../db/billing/accrued';
import { heldFunds } from '../../db/billing/holds';
import { fundsRefusal } from '../../domain/billing/funds';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import {
  COMPOSE,
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  type TestApp,
  type TestHost,
} from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const HOUR = 3_600_000;
const RATE = 58_000;

/** No worker runs, so that operations stay as the tests leave them. */
let server: TestServer;
let admin: TestClient;
let books: Books;
let fake: FakeVmm;
let host: TestHost;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ env: { BILLING_ENFORCEMENT: 'on', TEEHOUSE_ROLE: 'web' } });
  admin = await server.register('admin@example.test');
  books = await startBooks(server.services);
  fake = await startFakeVmm();
  host = await insertHost(db(), { name: 'paid', url: fake.url });
  await db()
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db(),
  );
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const db = () => server.services.db;

async function team(funds: number) {
  const client = await server.register();
  const who = await identityOf(db(), client.email!);
  if (funds > 0) await books.topUp(who.team_id, funds);
  const app: TestApp = await insertApp(db(), { ...who, host, name: `paid-${++count}` });
  /** A stopped CVM that has run before; its disk is free, so that the balance stays constant. */
  const stopped = () =>
    insertCvm(db(), {
      ...app,
      host,
      change: { status: 'stopped', desired: 'stopped', hourly_rate_micros: RATE, started_at: null },
    });
  const held = () => heldFunds(db(), who.team_id, new Date());
  return { client, ...who, stopped, held };
}

const deployment = (name: string) => ({
  name,
  instance_type: 'tdx.small',
  kms_id: host.kms.public_id,
  compose_file: { docker_compose_file: COMPOSE },
});

const start = (client: TestClient, { public_id }: { public_id: string }) =>
  client.call('startCvm', { path: { cvm_id: public_id } });

describe('without enough funds', () => {
  it('the refusal states a team’s debt instead of its available funds', () => {
    const refusal = fundsRefusal({ balance: -56_010_000, held: 47_258, cap: 0 }, 58_000, {
      slug: 'acme',
      publicUrl: 'https://cloud.example.com',
    });
    expect(refusal?.message).toBe(
      'The first hour costs $0.058, but the team owes $56.01. The team is $56.12 short.',
    );
  });

  it('a start is refused with ERR-04-001, what is missing and how to add it', async () => {
    const { client, stopped } = await team(20_000);
    const cvm = await stopped();
    const answer = await start(client, cvm);
    expect(answer.status).toBe(402);
    const body = answer.body as unknown as Problem & {
      message: string;
      suggestions: string[];
      links: { url: string }[];
      details: { field: string; value: string }[];
    };
    expect(body.code).toBe('ERR-04-001');
    expect(body.message).toContain('The first hour costs $0.058');
    expect(body.message).toContain('The team is $0.038 short.');
    expect(body.details).toContainEqual({ field: 'missing', value: '0.038' });
    expect(body.suggestions[0]).toBe('Add at least $1.00 on the billing page, or redeem a promotion code.');
    expect(body.links[0]?.url).toMatch(new RegExp(`/setup-billing\\?team=${client.slug}$`));
    const row = await db()
      .selectFrom('cvms')
      .select('status')
      .where('id', '=', cvm.id)
      .executeTakeFirstOrThrow();
    expect(row.status).toBe('stopped');
  });

  it('a deployment is refused before it reserves anything, and its preflight says so', async () => {
    const { client } = await team(0);
    const body = deployment('too-poor');
    const preflight = await client.call('deployPreflight', { body });
    expect(preflight.status, JSON.stringify(preflight.body)).toBe(200);
    expect((preflight.body as Preflight).refusal).toMatchObject({
      limit: 'funds',
      code: 'ERR-04-001',
      next_smaller: null,
    });
    const provision = await client.call('provisionCvm', { body });
    expect([provision.status, (provision.body as unknown as Problem).code]).toEqual([402, 'ERR-04-001']);
  });

  it('a replica and a larger size are refused, a smaller size or resizing a stopped CVM isn’t', async () => {
    const { client, stopped } = await team(1000);
    const source = await stopped();
    const replica = await client.call('createCvmReplica', { path: { cvm_id: source.public_id }, body: {} });
    expect([replica.status, (replica.body as unknown as Problem).code]).toEqual([402, 'ERR-04-001']);
    await db()
      .updateTable('cvms')
      .set({ status: 'running', desired: 'running' })
      .where('id', '=', source.id)
      .execute();
    const resize = (body: object) =>
      client.call('updateCvmResources', { path: { cvm_id: source.public_id }, body });
    expect((await resize({ vcpu: 8, memory: 16_384 })).status).toBe(402);
    await db()
      .updateTable('cvms')
      .set({ status: 'stopped', desired: 'stopped' })
      .where('id', '=', source.id)
      .execute();
    expect((await resize({ vcpu: 2, memory: 4096 })).status).toBe(202);
  });

  it('no other way to boot a CVM bypasses it', async () => {
    const { client, stopped, held } = await team(20_000);
    const cvm = await stopped();
    const path = { cvm_id: cvm.public_id };
    const inState = (status: 'error' | 'lost') =>
      db()
        .updateTable('cvms')
        .set({ status, desired: 'running', host_vm_id: `vm-${cvm.public_id}` })
        .where('id', '=', cvm.id)
        .execute();
    const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as Problem).code];
    const refused = [402, 'ERR-04-001'];
    expect(codeOf(await client.call('restartCvm', { path }))).toEqual(refused);
    await inState('error');
    expect(codeOf(await client.call('restartCvm', { path }))).toEqual(refused);
    const update = await client.call('updateCvmEnvs', { path, body: { encrypted_env: 'a1'.repeat(80) } });
    expect(codeOf(update)).toEqual(refused);
    const smaller = await client.call('updateCvmResources', { path, body: { vcpu: 1, memory: 1024 } });
    expect(codeOf(smaller)).toEqual(refused);
    await inState('lost');
    expect(codeOf(await client.call('giveUpCvm', { path, body: { name: cvm.name } }))).toEqual(refused);
    expect(await held()).toBe(0);
    await db()
      .updateTable('cvms')
      .set({ status: 'running', desired: 'running' })
      .where('id', '=', cvm.id)
      .execute();
    expect((await client.call('restartCvm', { path })).status).toBe(200);
  });

  it('platform staff may still start a CVM', async () => {
    const { stopped } = await team(0);
    const { vm_uuid } = await stopped();
    expect((await admin.call('startAdminCvm', { path: { id: vm_uuid } })).status).toBe(200);
  });
});

describe('funds', () => {
  it('check 25: for three starts are held for at most three of a hundred concurrent ones', async () => {
    const { client, stopped, held } = await team(3 * RATE + RATE / 2);
    const cvms = [];
    for (let i = 0; i < 100; i += 1) cvms.push(await stopped());
    const answers = await Promise.all(cvms.map((cvm) => start(client, cvm)));
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ 200: 3, 402: 97 });
    expect(await held()).toBe(3 * RATE);
  });

  it('are held for starts and replicas together', async () => {
    const { client, stopped, held } = await team(2 * RATE);
    const cvms = await Promise.all([stopped(), stopped(), stopped()]);
    const answers = await Promise.all([
      ...cvms.map((cvm) => start(client, cvm)),
      ...cvms.map(({ public_id }) =>
        client.call('createCvmReplica', { path: { cvm_id: public_id }, body: {} }),
      ),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await held()).toBe(2 * RATE);
  });

  it('are held when a deployment is committed', async () => {
    const { client, held } = await team(RATE);
    const commits = [];
    for (const name of ['one', 'two']) {
      const { status, body } = await client.call('provisionCvm', { body: deployment(`paid-${name}`) });
      expect(status, JSON.stringify(body)).toBe(200);
      const { app_id, compose_hash } = body as Provision;
      commits.push({ app_id, compose_hash });
    }
    expect(await held()).toBe(0);
    const answers = await Promise.all(commits.map((body) => client.call('createCvm', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect(await held()).toBe(RATE);
  });

  it('are held no further when a running CVM is started or restarted', async () => {
    const { client, stopped } = await team(RATE);
    const cvm = await stopped();
    await db()
      .updateTable('cvms')
      .set({ status: 'running', desired: 'running' })
      .where('id', '=', cvm.id)
      .execute();
    const path = { cvm_id: cvm.public_id };
    expect((await client.call('startCvm', { path })).body).toMatchObject({ status: 'starting' });
    await db().updateTable('operations').set({ state: 'succeeded' }).where('cvm_id', '=', cvm.id).execute();
    expect((await client.call('restartCvm', { path })).status).toBe(200);
    const { current } = await accruedUsage(db(), cvm.team_id, new Date(Date.now() + 1000));
    expect(current).toMatchObject([{ basis: 'size', hourly: RATE, change: { status: 'restarting' } }]);
    const changes = await db()
      .selectFrom('cvm_state_changes')
      .select('status')
      .where('cvm_id', '=', cvm.id)
      .orderBy('id')
      .execute();
    expect(changes.slice(-2).map(({ status }) => status)).toEqual(['running', 'restarting']);
  });

  it('are released when the operation fails, and second by second once the CVM runs', async () => {
    const { client, stopped, held } = await team(RATE * 1.5);
    const [first, second] = [await stopped(), await stopped()];
    expect((await start(client, first)).status).toBe(200);
    expect((await start(client, second)).status).toBe(402);
    const end = (state: 'succeeded' | 'failed', ago: number, status: 'running' | 'stopped') =>
      Promise.all([
        db()
          .updateTable('operations')
          .set({ state, finished_at: new Date(Date.now() - ago) })
          .where('cvm_id', '=', first.id)
          .execute(),
        db().updateTable('cvms').set({ status }).where('id', '=', first.id).execute(),
      ]);
    await end('succeeded', HOUR / 2, 'running');
    const half = await held();
    expect(half).toBeGreaterThan(RATE * 0.4);
    expect(half).toBeLessThanOrEqual(RATE / 2);
    await end('succeeded', HOUR + 1000, 'running');
    expect(await held()).toBe(0);
    await end('failed', 0, 'stopped');
    expect(await held()).toBe(0);
    expect((await start(client, second)).status).toBe(200);
    expect(await held()).toBe(RATE);
  });

  it('are used in order: credits, prepaid money, allowed debt', async () => {
    const { client, team_id, stopped } = await team(0);
    await books.grant(team_id, RATE, null);
    const [first, second] = [await stopped(), await stopped()];
    expect((await start(client, first)).status).toBe(200);
    expect((await start(client, second)).status).toBe(402);
    const changed = await admin.call('updateAdminWorkspace', {
      path: { id: team_id },
      body: { post_paid_cap: '50' },
    });
    expect(changed.body).toMatchObject({ post_paid_cap: '50.00' });
    expect((await start(client, second)).status).toBe(200);
    const me = (await client.call('getCurrentUser')).body as CurrentUser;
    expect(me.credits).toMatchObject({ is_post_paid: true });
    for (const post_paid_cap of ['-1', 'ten', '1000000.01', '9'.repeat(18)]) {
      const bad = await admin.call('updateAdminWorkspace', {
        path: { id: team_id },
        body: { post_paid_cap },
      });
      expect([post_paid_cap, bad.status]).toEqual([post_paid_cap, 422]);
      expect(JSON.stringify(bad.body)).toContain('post_paid_cap');
    }
  });
});

it('are not required while BILLING_ENFORCEMENT is off', async () => {
  const open = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  try {
    const client = await open.register();
    const who = await identityOf(open.services.db, client.email!);
    const free = await insertHost(open.services.db, { name: 'free' });
    const cvm = await insertCvm(open.services.db, {
      ...(await insertApp(open.services.db, { ...who, host: free, name: 'free' })),
      host: free,
      change: { status: 'stopped', desired: 'stopped' },
    });
    expect((await client.call('startCvm', { path: { cvm_id: cvm.public_id } })).status).toBe(200);
    const { rows } = { rows: await open.services.db.selectFrom('balance_holds').selectAll().execute() };
    expect(rows).toEqual([]);
  } finally {
    await open.stop();
  }
});
