import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminBulkJob, AdminBulkJobRow } from '../../../../generated/api/types.gen';
import { createBulkRowRunner } from '../../../http/bulkJobRequest';
import { housekeeping } from '../../../jobs/core/housekeeping';
import { createBulkRunner } from '../../../jobs/platform/bulkJobs';
import { createLogger } from '../../../log';
import { handlers } from '../../handlers.gen';
import { announceDeletions } from '../../../testing/announceDeletions';
import { identityOf, insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { eventually, type TestClient, type TestServer } from '../../../testing/server';
import { problemOf, startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

/** The server has no worker here: each test decides when a worker runs and dies. */
let server: TestServer;
let admin: TestClient;
let infra: TestClient;
let node: AdminTest['node'];
let audits: AdminTest['audits'];
let token: AdminTest['token'];
let nodes: number[];
const db = () => server.services.db;

const runner = (owner = 'worker') =>
  createBulkRunner({
    db: db(),
    log: createLogger('fatal'),
    owner,
    run: createBulkRowRunner(server.services, handlers),
  });
async function work() {
  const { sweep, idle } = runner();
  await sweep();
  await idle();
}
const role = (client: TestClient, platform_role: 'infra' | null) =>
  db()
    .updateTable('users')
    .set({ platform_role })
    .where('email', '=', client.email ?? '')
    .execute();

beforeAll(async () => {
  const test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
  ({ server, admin, node, audits, token } = test);
  infra = test.member;
});
afterAll(() => server?.stop());
beforeEach(async () => {
  await role(infra, 'infra');
  await sql`delete from admin_bulk_jobs`.execute(db());
  nodes = [];
  for (let i = 0; i < 6; i++) nodes.push(await node());
});

const create = (body: Record<string, unknown>, client = infra) => client.call('createAdminBulkJob', { body });
const edit = (ids: readonly number[], more: Record<string, unknown> = {}) => ({
  resource: 'nodes',
  action: 'edit',
  ids,
  body: { region: 'moved' },
  expected_total: ids.length,
  ...more,
});
async function created(body: Record<string, unknown>, client = infra): Promise<AdminBulkJob> {
  const answer = await create(body, client);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body as AdminBulkJob;
}
const read = async (id: number) =>
  (await admin.call('getAdminBulkJob', { path: { id } })).body as AdminBulkJob;
const rowsOf = async (id: number, filter = '{}') =>
  (await admin.call('listAdminBulkJobRows', { path: { id }, query: { filter } })).body as AdminBulkJobRow[];
const regions = async () =>
  (
    await db().selectFrom('nodes').select(['id', 'region']).where('id', 'in', nodes).orderBy('id').execute()
  ).map((one) => one.region);

describe('a bulk job', () => {
  it('applies the single-row operation to each row, with an audit entry, and reports progress', async () => {
    const job = await created(edit(nodes));
    expect(job).toMatchObject({
      state: 'queued',
      total: 6,
      done: 0,
      body: { region: 'moved' },
      filter: null,
    });
    expect(await regions()).toEqual(nodes.map(() => null));
    await work();
    expect(await read(job.id)).toMatchObject({
      state: 'finished',
      total: 6,
      done: 6,
      succeeded: 6,
      failed: 0,
    });
    expect(await regions()).toEqual(nodes.map(() => 'moved'));
    for (const id of nodes)
      expect((await audits('node', id)).filter((one) => one.action === 'node.update')).toHaveLength(1);
    expect((await audits('admin_bulk_job', job.id)).map((one) => one.action)).toEqual([
      'admin_bulk_job.create',
    ]);
  });

  it('fixes the filtered rows when created, if their count is as expected', async () => {
    const filter = { id_gte: nodes[0], id_lte: nodes[2] };
    const chosen = { resource: 'nodes', action: 'edit', filter, body: { region: 'chosen' } };
    const moved = await create({ ...chosen, expected_total: 4 });
    expect([moved.status, problemOf(moved.body).code]).toEqual([409, 'ERR-00-015']);
    const job = await created({ ...chosen, expected_total: 3 });
    await node({ region: 'chosen' }); // Added later, so not one of the job's rows.
    await work();
    expect((await read(job.id)).succeeded).toBe(3);
    expect(await regions()).toEqual(['chosen', 'chosen', 'chosen', null, null, null]);
  });

  it('gives the operations and events it starts its own request ID', async () => {
    const who = await identityOf(db(), infra.email ?? '');
    const host = await insertHost(db());
    const app = await insertApp(db(), { ...who, host, name: 'bulk-traced' });
    const cvms = [
      await insertCvm(db(), { ...app, host, ...who }),
      await insertCvm(db(), { ...app, host, ...who }),
    ];
    const ids = cvms.map(({ vm_uuid }) => vm_uuid);
    const answer = await create({ resource: 'cvms', action: 'stop', ids, expected_total: 2 }, admin);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    const request_id = answer.headers.get('x-request-id') ?? '';
    await work();
    const rows = await rowsOf((answer.body as AdminBulkJob).id);
    const named = rows.map(({ row_id, name }) => [row_id, name]);
    expect(named).toEqual(cvms.map(({ vm_uuid, name }) => [vm_uuid, name]));
    const { body: events } = await admin.call('listAdminInstanceEvents', {
      query: { filter: JSON.stringify({ request_id }) },
    });
    expect(events.map(({ cvm_id }) => cvm_id).sort()).toEqual([...ids].sort());
    const operations = await db()
      .selectFrom('operations')
      .select(['request_id', 'type'])
      .where(
        'cvm_id',
        'in',
        cvms.map(({ id }) => id),
      )
      .execute();
    expect(operations).toEqual([
      { request_id, type: 'stop' },
      { request_id, type: 'stop' },
    ]);
    const { body: entries } = await admin.call('listAdminAudit', {
      query: { filter: JSON.stringify({ request_id }) },
    });
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'admin_bulk_job.create',
      'cvm.stop',
      'cvm.stop',
    ]);
  });

  it('lists rows whose identifiers cannot be record IDs, without names', async () => {
    const names = { resource: 'cvms', action: 'stop', ids: ['no-such-cvm', '4294967296'], expected_total: 2 };
    const cvms = await created(names, admin);
    const numbers = await created({ ...edit([]), ids: ['9999999999'], expected_total: 1 });
    await work();
    for (const [{ id }, ids] of [
      [cvms, names.ids],
      [numbers, ['9999999999']],
    ] as const) {
      const answer = await admin.call('listAdminBulkJobRows', { path: { id }, query: {} });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(
        (answer.body as AdminBulkJobRow[]).map(({ row_id, name, state }) => [row_id, name, state]),
      ).toEqual(ids.map((row_id) => [row_id, null, 'failed']));
    }
  });

  it('reports the reason for each failed row, also as CSV', async () => {
    const [kept = 0, gone = 0, ...others] = nodes;
    await sql`insert into teepods (node_id, name, url, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
      values (${kept}, ${`on-${kept}`}, 'http://127.0.0.1:9', 1, 1, 1, 1)`.execute(db());
    await db().deleteFrom('nodes').where('id', '=', gone).execute();
    const keptName = await db().selectFrom('nodes').select('name').where('id', '=', kept).executeTakeFirst();
    const job = await created({ resource: 'nodes', action: 'delete', ids: nodes, expected_total: 6 });
    await work();
    expect(await read(job.id)).toMatchObject({ state: 'finished', succeeded: others.length, failed: 2 });
    expect(await rowsOf(job.id, '{"state":"failed"}')).toMatchObject([
      {
        id: 1,
        row_id: String(kept),
        name: keptName?.name,
        code: 'ERR-00-021',
        message: expect.stringContaining(`on-${kept}`),
      },
      { id: 2, row_id: String(gone), name: null, code: 'ERR-00-004' },
    ]);
    const file = await admin.call('listAdminBulkJobRows', {
      path: { id: job.id },
      query: { filter: '{"state":"failed"}', format: 'csv', columns: 'row_id,code' },
    });
    expect(String(file.body)).toBe(`row_id,code\r\n${kept},ERR-00-021\r\n${gone},ERR-00-004\r\n`);
    // A record that refuses a change is no fault of the platform.
    const queue = async () => (await admin.call('getAdminQueue', { path: { id: 'bulk_jobs' } })).body;
    expect(await queue()).toMatchObject({ state: 'idle', failed: 1 });
    await sql`update admin_bulk_job_rows set code = 'ERR-00-009' where job_id = ${job.id} and n = 1`.execute(
      db(),
    );
    expect(await queue()).toMatchObject({ state: 'failing', failed: 1 });
  });

  it('checks the user’s permission for each row', async () => {
    const job = await created(edit(nodes));
    await role(infra, null);
    await work();
    expect(await read(job.id)).toMatchObject({ state: 'finished', succeeded: 0, failed: 6 });
    expect((await rowsOf(job.id)).map((one) => one.code)).toEqual(nodes.map(() => 'ERR-00-003'));
    expect(await regions()).toEqual(nodes.map(() => null));
  });

  it('fails after the token that created it is revoked', async () => {
    const writer = await token(['admin:*'], admin.email);
    const job = await created(edit(nodes), writer);
    await sql`update api_tokens set revoked_at = now()`.execute(db());
    await work();
    expect(await read(job.id)).toMatchObject({ succeeded: 0, failed: 6 });
  });

  it("resumes after a killed worker and ignores that worker's later writes", async () => {
    const job = await created(edit(nodes));
    const row = createBulkRowRunner(server.services, handlers);
    const alive = new AbortController().signal;
    const held = await db()
      .updateTable('admin_bulk_jobs')
      .set({ state: 'running', lease_owner: 'killed', lease_until: new Date(Date.now() + 60_000) })
      .where('id', '=', job.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const at = (n: number) => ({ n, row_id: String(nodes[n - 1]) });
    expect(await row(held, at(1), 'killed', alive)).toBe('done');
    expect(await row(held, at(2), 'killed', alive)).toBe('done');
    await work();
    expect((await read(job.id)).done, 'no other worker takes a leased job').toBe(2);
    await sql`update admin_bulk_jobs set lease_until = now() - interval '1 second'`.execute(db());
    // Both run concurrently: the dead worker wakes up and repeats one row and the next, while the live one does
    // the rest.
    const untilDone = async () => {
      // A job whose row is locked is left for the next sweep.
      while ((await read(job.id)).state !== 'finished') await work();
      return row(held, at(3), 'killed', alive);
    };
    const both = await Promise.all([row(held, at(1), 'killed', alive), untilDone()]);
    expect(both).toEqual(['lost', 'lost']);
    expect(await read(job.id)).toMatchObject({ state: 'finished', succeeded: 6, failed: 0 });
    for (const id of nodes)
      expect((await audits('node', id)).filter((one) => one.action === 'node.update')).toHaveLength(1);
  });

  it('leaves an interrupted row to the next process', async () => {
    let requestCount = 0;
    const silent = createServer(() => void requestCount++);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { id } = await db()
      .insertInto('kms')
      .values({
        public_id: 'kms_silent',
        slug: 'silent',
        type: 'phala',
        url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const job = await created({ resource: 'kms', action: 'check', ids: [id], expected_total: 1 }, admin);
    const stopped = runner('stopped');
    await stopped.sweep();
    await eventually('the KMS is queried', async () => requestCount > 0);
    await stopped.stop();
    expect(await rowsOf(job.id)).toMatchObject([{ state: 'queued', message: null }]);
    expect(await read(job.id)).toMatchObject({ state: 'running', done: 0 });
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
    await work();
    expect(await read(job.id)).toMatchObject({ state: 'finished', succeeded: 1 });
  });

  it('keeps completed rows and skips the rest when canceled', async () => {
    const job = await created(edit(nodes));
    const row = createBulkRowRunner(server.services, handlers);
    const { sweep, idle } = createBulkRunner({
      db: db(),
      log: createLogger('fatal'),
      owner: 'worker',
      async run(...given) {
        if (given[1].n === 3)
          expect((await infra.call('cancelAdminBulkJob', { path: { id: job.id } })).status).toBe(200);
        return row(...given);
      },
    });
    await sweep();
    await idle();
    expect(await read(job.id)).toMatchObject({ state: 'cancelled', succeeded: 2, skipped: 4, done: 6 });
    expect(await regions()).toEqual(['moved', 'moved', null, null, null, null]);
    expect((await rowsOf(job.id)).map((one) => one.state)).toEqual([
      'succeeded',
      'succeeded',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
    ]);
    const again = await infra.call('cancelAdminBulkJob', { path: { id: job.id } });
    expect([again.status, problemOf(again.body).code]).toEqual([409, 'ERR-00-015']);
    const waiting = await created(edit(nodes));
    expect((await infra.call('cancelAdminBulkJob', { path: { id: waiting.id } })).body).toMatchObject({
      state: 'cancelled',
      skipped: 6,
    });
  });
});

describe('a rejected bulk job', () => {
  it.each([
    ['has an unknown action', { action: 'explode' }, 'action'],
    [
      'has an action for single records',
      { resource: 'teepods', action: 'drain', body: { no_move: 'stop' } },
      'action',
    ],
    ['has an invalid body', { body: { region: 7 } }, 'body.region'],
    ['has both IDs and a filter', { filter: {} }, 'ids'],
    ['has an ID of the wrong type', { ids: ['x'], expected_total: 1 }, 'ids'],
    ['targets bulk jobs', { resource: 'bulk-jobs', action: 'cancel', body: undefined }, 'action'],
  ])('%s', async (_name, change, field) => {
    const answer = await create(edit(nodes, change));
    expect(answer.status).toBe(422);
    expect(problemOf(answer.body).detail.details[0]?.field).toBe(field);
  });

  it('nests values deeper than any form does', async () => {
    const deep = { a: { b: { c: 1 } } };
    for (const [body, at] of [
      [
        {
          resource: 'teepods',
          action: 'edit',
          filter: { state: { eq: 'online' } },
          body: {},
          expected_total: 1,
        },
        'filter',
      ],
      [edit([1], { body: { name: deep } }), 'body'],
    ] as const) {
      const answer = await create({ ...body });
      expect([answer.status, answer.body]).toMatchObject([
        422,
        { detail: [{ loc: ['body', at, expect.anything()] }] },
      ]);
    }
  });

  it('sets a shared credential, lacks permission, expects another count or is the sixth concurrent job', async () => {
    const secret = await create({
      resource: 'teepods',
      action: 'edit',
      ids: [1],
      expected_total: 1,
      body: { credential: 'hunter2' },
    });
    expect([secret.status, JSON.stringify(secret.body).includes('hunter2')]).toEqual([422, false]);
    expect((await create({ resource: 'outbox', action: 'retry', ids: [1], expected_total: 1 })).status).toBe(
      403,
    );
    expect((await create(edit(nodes, { expected_total: 5 }))).status).toBe(409);
    for (let i = 0; i < 5; i++) await created(edit(nodes));
    expect((await create(edit(nodes))).status).toBe(409);
    expect((await db().selectFrom('admin_bulk_jobs').select('id').execute()).length).toBe(5);
  });

  it('is hidden if its list is not accessible', async () => {
    await sql`insert into admin_bulk_jobs (resource, action, operation, user_id, request_id, total)
      select 'outbox', 'retry', 'retryAdminOutbox', id, 'req', 1 from users limit 1`.execute(db());
    const id = (await db().selectFrom('admin_bulk_jobs').select('id').executeTakeFirstOrThrow()).id;
    expect((await infra.call('listAdminBulkJobs')).body).toEqual([]);
    for (const operation of ['getAdminBulkJob', 'listAdminBulkJobRows', 'cancelAdminBulkJob'] as const)
      expect((await infra.call(operation, { path: { id } })).status, operation).toBe(404);
    expect((await admin.call('listAdminBulkJobs')).body).toMatchObject([{ id }]);
  });

  it('is deleted with its rows 91 days after it finished', async () => {
    const job = await created(edit(nodes));
    await work();
    await sql`update admin_bulk_jobs set finished_at = now() - interval '91 days'`.execute(db());
    await announceDeletions(db());
    await housekeeping(db());
    expect((await admin.call('getAdminBulkJob', { path: { id: job.id } })).status).toBe(404);
  });
});
