import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import document from '../../../../generated/openapi.json';
import { operations, type OperationId } from '../../../../generated/api/operations.gen';
import { adminInstanceEvents } from '../../../db/activity/adminInstanceEvents';
import { addEvent } from '../../../db/activity/operations';
import { identityOf, insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { fill } from '../../../testing/fill';
import type { TestClient, TestServer } from '../../../testing/server';
import { csvLine } from '../../../../console/lib/texts/csv';
import { listedResource } from '../../core/admin/resource';
import { problemOf, startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let audits: AdminTest['audits'];
let cvm: Awaited<ReturnType<typeof insertCvm>>;
const db = () => server.services.db;

/** More rows than an exact count covers. */
const EVENTS = 10_400;

beforeAll(async () => {
  ({ server, admin, member, audits } = await startAdminTest({ TEEHOUSE_ROLE: 'web' }));
  const who = await identityOf(db(), member.email ?? '');
  const host = await insertHost(db());
  const app = await insertApp(db(), { ...who, host, name: 'watched' });
  cvm = await insertCvm(db(), { ...app, host, ...who });
  await insertCvm(db(), { ...app, host, ...who, change: { name: '=cmd|calc', status: 'stopped' } });
  const gone = await insertCvm(db(), {
    ...app,
    host,
    ...who,
    change: { name: 'long-gone', status: 'deleted', deleted_at: new Date() },
  });
  await db()
    .insertInto('operations')
    .values({
      correlation_id: crypto.randomUUID(),
      team_id: who.team_id,
      cvm_id: gone.id,
      type: 'delete',
      state: 'succeeded',
      target: 'deleted',
      payload: '{}',
      requested_by: who.user_id,
      deadline_at: new Date(),
      finished_at: new Date(),
    })
    .execute();
  await sql`alter table events disable trigger events_notify`.execute(db());
  await fill(db(), (trx) =>
    sql`insert into events (team_id, app_id, cvm_id, kind, severity, message, actor_id, created_at)
    select ${who.team_id}, ${app.app.id}, ${cvm.id}, case when n % 100 = 0 then 'update.failed' else 'boot.progress' end,
      case when n % 100 = 0 then 'error' else 'info' end,
      case when n = 17 then 'A zanzibar moment' else 'Boot: step ' || n % 13 end, ${who.user_id},
      '2026-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${EVENTS}) n`.execute(trx),
  );
  await sql`analyze events`.execute(db());
});
afterAll(() => server?.stop());

const lists = (Object.keys(operations) as OperationId[]).filter(
  (id) =>
    operations[id].tag === 'admin' &&
    operations[id].method === 'get' &&
    Object.hasOwn(operations[id].queryTypes, 'filter'),
);

describe('every admin list', () => {
  it.each(lists)('%s exports a file with its columns and records the export', async (id) => {
    const { path } = operations[id];
    expect(operations[id].queryTypes, 'query parameters').toMatchObject({
      format: 'string',
      columns: 'string',
    });
    if (path.includes('{')) return;
    const answer = await admin.call(id, { query: { format: 'csv' } });
    expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const name = path.split('/').at(-1) ?? '';
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${name}-\\d{4}-\\d{2}-\\d{2}\\.csv"$`),
    );
    const [header = ''] = String(answer.body).split('\r\n');
    expect(header.split(',')).toContain('id');
    expect((await audits('admin_list', name)).map((one) => one.action)).toContain('admin.export');
  });

  it.each(lists)('%s finds nothing for a number no column can hold', async (id) => {
    const { path } = operations[id];
    if (path.includes('{')) return;
    const fields = listedResource(path.slice('/admin/'.length))?.source.fields ?? {};
    const numbers = Object.keys(fields).filter((field) => fields[field] === 'integer');
    const over = Object.fromEntries(numbers.map((field) => [field, Number.MAX_SAFE_INTEGER]));
    const ranges = Object.fromEntries(numbers.map((field) => [`${field}_gte`, 2 ** 31]));
    for (const filter of [over, ranges]) {
      const answer = await admin.call(id, { query: { filter: JSON.stringify(filter) } });
      expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(200);
      if (numbers.length > 0) expect(answer.body).toEqual([]);
    }
  });
});

it('offers only indexed fields for sorting large lists', () => {
  const schemas = document.components.schemas as Record<string, { 'x-admin'?: { sorts?: string[] } }>;
  const sorts = schemas.AdminInstanceEvent?.['x-admin']?.sorts;
  expect(sorts?.toSorted()).toEqual(adminInstanceEvents.large?.indexed.toSorted());
});

describe('a large list', () => {
  it('returns an estimated total with a header, and an exact one without', async () => {
    const all = await admin.call('listAdminInstanceEvents', {
      query: { sort: '["created_at","DESC"]', range: '[0,9]' },
    });
    expect(all.status).toBe(200);
    expect(all.headers.get('x-total-estimated')).toBe('true');
    const total = Number(all.headers.get('content-range')?.split('/')[1]);
    expect(total).toBeGreaterThan(EVENTS * 0.8);
    expect(total).toBeLessThan(EVENTS * 1.2);
    expect(all.body.map((event) => event.created_at)).toEqual(
      all.body
        .map((event) => event.created_at)
        .toSorted()
        .toReversed(),
    );

    const failed = await admin.call('listAdminInstanceEvents', {
      query: { filter: '{"kind":"update.failed"}', sort: '["kind","ASC"]' },
    });
    expect(failed.headers.get('x-total-estimated')).toBeNull();
    expect(failed.headers.get('content-range')).toBe('instance-events 0-24/104');
    expect(failed.body[0]).toMatchObject({
      kind: 'update.failed',
      severity: 'error',
      team_slug: member.slug,
      cvm_id: cvm.vm_uuid,
      data: null,
    });
  });

  it('searches words by prefix and combines search with filters', async () => {
    const rare = await admin.call('listAdminInstanceEvents', { query: { filter: '{"q":"zanz"}' } });
    expect(rare.body.map((event) => event.message)).toEqual(['A zanzibar moment']);
    expect(rare.headers.get('content-range')).toBe('instance-events 0-0/1');
    const common = await admin.call('listAdminInstanceEvents', {
      query: { filter: '{"q":"boot step","severity":"error"}', sort: '["created_at","ASC"]' },
    });
    expect(common.headers.get('content-range')).toMatch(/^instance-events 0-24\//);
    expect(common.body.every((event) => event.severity === 'error')).toBe(true);
    const none = await admin.call('listAdminInstanceEvents', { query: { filter: '{"q":"?!"}' } });
    expect(none.body).toEqual([]);
  });

  it('filters by inclusive time ranges, including whole days', async () => {
    const conditions = { filter: '{"created_at_gte":"2026-01-02","created_at_lte":"2026-01-02"}' };
    const day = await admin.call('listAdminInstanceEvents', { query: conditions });
    expect(day.headers.get('content-range')).toBe('instance-events 0-24/1440');
  });

  it('sorts only by indexed fields and rejects deep pages', async () => {
    const sorted = await admin.call('listAdminInstanceEvents', { query: { sort: '["severity","ASC"]' } });
    expect(sorted.status).toBe(422);
    expect(problemOf(sorted.body).detail.message).toContain('created_at');
    const deep = await admin.call('listAdminInstanceEvents', { query: { range: '[100000,100024]' } });
    expect(deep.status).toBe(422);
    expect(problemOf(deep.body).detail.message).toContain('CSV');
  });

  it('returns one record in full, and 404 for an unknown one', async () => {
    const { id } = await db().selectFrom('events').select('id').limit(1).executeTakeFirstOrThrow();
    const one = await admin.call('getAdminInstanceEvent', { path: { id } });
    expect(one.body).toMatchObject({ id, data: {} });
    expect(one.headers.get('etag')).toMatch(/^"/);
    expect((await admin.call('getAdminInstanceEvent', { path: { id: 2_000_000_000 } })).status).toBe(404);
  });
});

describe('a CSV export', () => {
  it('contains the matching rows in the requested order and columns, safe for spreadsheets', async () => {
    const answer = await admin.call('listAdminCvms', {
      query: {
        format: 'csv',
        columns: 'name,status,id',
        sort: '["name","ASC"]',
        range: '[0,0]',
        filter: '{"deleted_at":null}',
      },
    });
    expect(String(answer.body).split('\r\n')).toEqual([
      'name,status,id',
      expect.stringMatching(/^"'=cmd\|calc",stopped,/),
      `${cvm.name},running,${cvm.vm_uuid}`,
      '',
    ]);
  });

  it('names referenced records under short headings, as the list does', async () => {
    const answer = await admin.call('listAdminCvms', {
      query: {
        format: 'csv',
        columns: 'name,team_id.name,team_id',
        filter: JSON.stringify({ id: cvm.vm_uuid }),
      },
    });
    const { name } = await db()
      .selectFrom('teams')
      .select('name')
      .where('id', '=', cvm.team_id)
      .executeTakeFirstOrThrow();
    expect(String(answer.body).split('\r\n')).toEqual([
      'name,team,team_id',
      csvLine([cvm.name, name, cvm.team_id]).trim(),
      '',
    ]);
    const wrong = await admin.call('listAdminCvms', { query: { format: 'csv', columns: 'status.name' } });
    expect(wrong.status).toBe(422);
  });

  it('contains every row of a large list', async () => {
    const answer = await admin.call('listAdminInstanceEvents', {
      query: { format: 'csv', columns: 'id,kind', sort: '["created_at","DESC"]', filter: '{"q":"boot"}' },
    });
    const lines = String(answer.body).trim().split('\r\n');
    expect(lines).toHaveLength(EVENTS - 1 + 1);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it('rejects unknown columns before writing an audit entry', async () => {
    const before = (await audits('admin_list', 'nodes')).length;
    const answer = await admin.call('listAdminNodes', { query: { format: 'csv', columns: 'id,secret' } });
    expect(answer.status).toBe(422);
    expect(await audits('admin_list', 'nodes')).toHaveLength(before);
  });
});

describe('CVMs of all teams', () => {
  it('are found by the prefix of a name or ID, in every state', async () => {
    const find = async (q: string) =>
      (await admin.call('listAdminCvms', { query: { filter: JSON.stringify({ q }) } })).body.map(
        (one) => one.name,
      );
    expect(await find('long')).toEqual(['long-gone']);
    const gone = await db()
      .selectFrom('cvms')
      .selectAll()
      .where('name', '=', 'long-gone')
      .executeTakeFirstOrThrow();
    const { user_id } = await identityOf(db(), member.email ?? '');
    const page = await admin.call('getAdminCvm', { path: { id: gone.vm_uuid } });
    expect(page.body, 'a deleted CVM still has its page').toMatchObject({
      status: 'deleted',
      team_id: gone.team_id,
      teepod_id: gone.teepod_id,
      deleted_at: expect.any(String),
      deleted_by: user_id,
    });
    expect(await find(cvm.vm_uuid.slice(0, 18))).toEqual([cvm.name]);
    expect(await find((cvm.instance_id ?? '').slice(0, 12))).toEqual([cvm.name]);
    const { body } = await admin.call('getAdminCvm', { path: { id: cvm.vm_uuid } });
    expect(body).toMatchObject({
      name: cvm.name,
      team_slug: member.slug,
      team_name: expect.stringMatching(/./),
      hourly_rate: '0.058',
      app_name: 'watched',
    });
    for (const id of ['00000000-0000-4000-8000-000000000000', 'watched-not', '999999', 'app_12', 'cvm_none'])
      expect(await admin.call('getAdminCvm', { path: { id } })).toMatchObject({
        status: 404,
        body: { code: 'ERR-03-001' },
      });
  });

  it('are found by every identifier, and rejected when ambiguous', async () => {
    const theirs = await identityOf(db(), member.email ?? '');
    const host = await insertHost(db());
    const app = await insertApp(db(), { ...theirs, host, name: 'alone' });
    const one = await insertCvm(db(), { ...app, host, ...theirs, change: { name: 'namesake' } });
    const { app_id } = app.app;
    const read = async (id: string | number) =>
      (await admin.call('getAdminCvm', { path: { id } })) as { status: number; body: { id?: string } };
    const instance = one.instance_id ?? '';
    const forms = [
      one.vm_uuid.replaceAll('-', ''),
      one.vm_uuid.toUpperCase(),
      one.public_id,
      one.id,
      one.name,
      app_id,
      `app_${app_id}`,
      `0x${app_id}`,
      instance,
      `app_${instance}`,
      `instance_${instance}`,
    ];
    for (const form of forms) expect((await read(form)).body.id, String(form)).toBe(one.vm_uuid);
    const ours = await identityOf(db(), admin.email ?? '');
    const second = await insertApp(db(), { ...ours, host, name: 'alone too' });
    const other = await insertCvm(db(), { ...second, host, ...ours, change: { name: one.name } });
    const several = await read(one.name);
    expect(several).toMatchObject({ status: 400, body: { code: 'ERR-03-010' } });
    expect(JSON.stringify(several.body)).toContain(`${one.name} of ${admin.slug} (${other.vm_uuid})`);
    const stop = await admin.call('stopAdminCvm', { path: { id: one.name } });
    expect(stop).toMatchObject({ status: 400, body: { code: 'ERR-03-010' } });
    await db().updateTable('cvms').set({ deleted_at: new Date() }).where('id', '=', other.id).execute();
    expect((await read(one.name)).body.id).toBe(one.vm_uuid);
    // A deleted CVM is found only by its unique IDs.
    expect((await read(other.public_id)).body.id).toBe(other.vm_uuid);
    expect((await member.call('getAdminCvm', { path: { id: one.vm_uuid } })).status).toBe(403);
  });

  it('show the longest user and team names, made of two-unit characters', async () => {
    const name = '🫖'.repeat(100);
    const { user_id, team_id } = await identityOf(db(), member.email ?? '');
    const before = await db()
      .selectFrom('users')
      .select('username')
      .where('id', '=', user_id)
      .executeTakeFirstOrThrow();
    await db().updateTable('users').set({ username: name }).where('id', '=', user_id).execute();
    await db().updateTable('teams').set({ name }).where('id', '=', team_id).execute();
    const filter = (value: object) => ({ query: { filter: JSON.stringify(value) } });
    const events = await admin.call('listAdminInstanceEvents', filter({ cvm_id: cvm.vm_uuid }));
    expect(events.body[0]).toMatchObject({ actor: name });
    const teams = await admin.call('listAdminWorkspaces', filter({ id: team_id }));
    expect(teams.body).toMatchObject([{ name }]);
    await db().updateTable('users').set(before).where('id', '=', user_id).execute();
  });

  it('are filtered by references', async () => {
    const conditions = { team_id: cvm.team_id, teepod_id: cvm.teepod_id, status: ['running', 'error'] };
    const found = await admin.call('listAdminCvms', { query: { filter: JSON.stringify(conditions) } });
    expect(found.body.map((one) => one.id)).toEqual([cvm.vm_uuid]);
    const wrong = await admin.call('listAdminCvms', { query: { filter: '{"id":["x"]}' } });
    expect(wrong.status).toBe(422);
  });

  it('link a request to its audit entries, events and later worker events', async () => {
    const theirs = await identityOf(db(), member.email ?? '');
    const host = await insertHost(db());
    const app = await insertApp(db(), { ...theirs, host, name: 'traced' });
    const one = await insertCvm(db(), { ...app, host, ...theirs });
    const done = await admin.call('stopAdminCvm', { path: { id: one.vm_uuid } });
    const request_id = done.headers.get('x-request-id');
    const filter = { query: { filter: JSON.stringify({ request_id }) } };
    const eventsOfRequest = async () => (await admin.call('listAdminInstanceEvents', filter)).body;
    const [requested] = await eventsOfRequest();
    expect(requested).toMatchObject({ request_id, cvm_id: one.vm_uuid });
    const operation = await db()
      .selectFrom('operations')
      .selectAll()
      .where('correlation_id', '=', requested?.correlation_id ?? '')
      .executeTakeFirstOrThrow();
    await addEvent(db(), { cvm: one, operation, kind: 'stop.succeeded', message: 'Stopped' });
    await addEvent(db(), { cvm: one, kind: 'cvm.recovered', message: 'Recovered' });
    expect((await eventsOfRequest()).map(({ kind }) => kind).sort()).toEqual(
      [requested?.kind, 'stop.succeeded'].sort(),
    );
    const entries = (await admin.call('listAdminAudit', filter)).body;
    expect(entries.map(({ target_id }) => target_id)).toEqual([one.public_id]);
  });

  it("can be stopped and started by staff, as recorded in the team's audit log", async () => {
    const path = { id: cvm.vm_uuid };
    const stopped = await admin.call('stopAdminCvm', { path });
    expect(stopped.body).toMatchObject({ id: cvm.vm_uuid, status: 'stopping' });
    const again = await admin.call('restartAdminCvm', { path });
    expect([again.status, problemOf(again.body).code]).toEqual([409, 'ERR-00-016']);
    const log = await db()
      .selectFrom('audit_log')
      .select(['action', 'team_id', 'actor_kind'])
      .where('target_id', '=', cvm.public_id)
      .execute();
    expect(log).toMatchObject([{ action: 'cvm.stop', team_id: cvm.team_id, actor_kind: 'staff' }]);
    expect((await admin.call('startAdminCvm', { path: { id: 'x' } })).status).toBe(404);
  });
});
