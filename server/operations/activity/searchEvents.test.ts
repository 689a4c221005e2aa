import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsById, fitsEvent, whereEvent, type EventFilter } from '../../db/activity/events';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { OperationRow } from '../../db/activity/operationsTable';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertOperation,
  insertToken,
  type TestApp,
} from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let member: TestClient;
let stranger: TestClient;
let who: { team_id: number; user_id: number };
let app: TestApp;
let web: CvmRow;
let databaseCvm: CvmRow;
let failed: OperationRow;
const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register('ada@example.test');
  stranger = await server.register();
  who = await identityOf(db, member.email!);
  const host = await insertHost(db);
  app = await insertApp(db, { ...who, host, name: 'shop' });
  web = await insertCvm(db, { ...app, host, ...who, change: { name: 'web' } });
  databaseCvm = await insertCvm(db, { ...app, host, ...who, change: { name: 'db' } });
  failed = await insertOperation(db, web, { type: 'update', state: 'failed' });
  const add = async (
    name: string,
    cvm: CvmRow | null,
    kind: string,
    message: string,
    more: { severity?: 'info' | 'warning' | 'error'; operation?: OperationRow; created_at?: Date } = {},
  ) => {
    const { id } = await db
      .insertInto('events')
      .values({
        team_id: who.team_id,
        app_id: app.app.id,
        cvm_id: cvm?.id ?? null,
        operation_id: more.operation?.id ?? null,
        kind,
        message,
        severity: more.severity ?? 'info',
        ...(more.created_at ? { created_at: more.created_at } : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids[name] = String(id);
  };
  await add('old', web, 'deploy.succeeded', 'Deployed', {
    created_at: new Date('2026-01-05T10:00Z'),
  });
  await add('boot', web, 'host.boot.progress', 'Boot: setting up docker');
  await add('refused', web, 'update.failed', 'Update failed: the host eu-1 does not answer 50% of "pulls"', {
    severity: 'error',
    operation: failed,
  });
  await add('lost', databaseCvm, 'cvm.lost', 'Not running: boot error', { severity: 'warning' });
  await add('team', null, 'domain.verified', 'Straße.example is VERIFIED');
});
afterAll(() => server.stop());

const search = async (q: string, client = member) => {
  const answer = await client.call('listEvents', { query: { q, limit: 100 } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return answer.body.data.map(({ id }) => names.get(id)).join(' ');
};

describe('searching events', () => {
  it.each([
    ['', 'team lost refused boot old'],
    ['kind:update', 'refused'],
    ['kind:host.*', 'boot'],
    ['kind:*.failed,cvm', 'lost refused'],
    ['-kind:host.*', 'team lost refused old'],
    ['severity:error,warning', 'lost refused'],
    ['cvm:web', 'refused boot old'],
    ['-cvm:web', 'team lost'],
    ['cvm:web,db severity:warning', 'lost'],
    ['app:shop kind:domain', 'team'],
    ['by:none', 'team lost boot old'],
    ['-by:none', 'refused'],
    ['after:2026-01-05 before:2026-01-06', 'old'],
    ['after:2h', 'team lost refused boot'],
    ['boot', 'lost boot'],
    ['"boot error"', 'lost'],
    ['boot -error', 'boot'],
    ['eu-1', 'refused'],
    ['"50% of"', 'refused'],
    ['"\\"pulls\\""', 'refused'],
    ['straße verif', 'team'],
    ['oot', ''],
  ])('%j finds “%s”', async (q, found) => expect(await search(q)).toBe(found));

  it('matches users, operations, apps and CVMs by ID', async () => {
    const { body } = await member.call('listEvents', { query: { q: 'kind:update' } });
    const { actor } = body.data[0]!;
    expect(await search(`by:${actor!.id}`)).toBe('refused');
    expect(await search(`by:"${actor!.username!.toUpperCase()}"`)).toBe('refused');
    expect(await search(`operation:${failed.correlation_id}`)).toBe('refused');
    expect(await search(`cvm:${web.public_id} app:0x${app.app.app_id.toUpperCase()}`)).toBe(
      'refused boot old',
    );
  });

  it('only narrows the results of the other parameters', async () => {
    const count = async (query: Record<string, string>) =>
      (await member.call('listEvents', { query })).body.data.length;
    expect(await count({ cvm: 'web', q: 'cvm:db' })).toBe(0);
    expect(await count({ cvm: 'db', q: 'cvm:web,db' })).toBe(1);
    expect(await count({ kind: 'update', q: 'kind:host.*' })).toBe(0);
  });

  it('rejects an invalid query with the position of the mistake', async () => {
    const faults = async (q: string) =>
      (await member.call('listEvents', { query: { q } })) as unknown as {
        status: number;
        body: { detail: { details?: { field: string; message: string; value: string }[] } };
      };
    const typo = await faults('boot severty:error');
    expect(typo.status).toBe(422);
    expect(typo.body.detail.details).toEqual([
      { field: 'q', message: expect.stringContaining('severity:') as string, value: '5-18' },
    ]);
    const unknown = await faults('severity:error cvm:nothere');
    expect(unknown.body.detail.details).toEqual([
      { field: 'q', message: 'This team has never had a CVM named “nothere”.', value: '15-26' },
    ]);
    // Another team's CVM is reported like one that doesn't exist.
    const foreign = (await stranger.call('listEvents', { query: { q: `cvm:${web.public_id}` } })) as {
      status: number;
    };
    expect(foreign.status).toBe(422);
  });

  it('starts at the given newest event', async () => {
    const query = { newest: ids.refused!, limit: 2 };
    const { body } = await member.call('listEvents', { query });
    expect(body.data.map(({ id }) => id)).toEqual([ids.refused, ids.boot]);
    const rest = await member.call('listEvents', {
      query: { ...query, cursor: body.pagination.next_cursor },
    });
    expect(rest.body.data.map(({ id }) => id)).toEqual([ids.old]);
  });
});

describe('one event', () => {
  it('returns an event by ID to its own team only', async () => {
    const path = { event_id: ids.refused! };
    expect((await member.call('getEvent', { path })).body).toMatchObject({
      id: ids.refused,
      kind: 'update.failed',
      correlation_id: failed.correlation_id,
      actor: { object_type: 'user' },
      cvm: { name: 'web' },
    });
    expect((await stranger.call('getEvent', { path })).status).toBe(404);
    const foreign = await insertToken(
      server.services.db,
      await identityOf(server.services.db, stranger.email!),
    );
    expect((await server.anonymous.with({ 'x-api-key': foreign }).call('getEvent', { path })).status).toBe(
      404,
    );
    for (const event_id of ['0', 'x', '99999999999999999999'])
      expect((await member.call('getEvent', { path: { event_id } })).status).toBe(404);
  });
});

describe('the event filter', () => {
  it('matches the same rows in memory as in the database', async () => {
    const { db } = server.services;
    const rows = await eventsById(db, Object.values(ids).map(Number), 'asc');
    const some: EventFilter['without'][] = [
      {},
      { kinds: ['update', '*.lost'] },
      { kinds: ['h*.progress'] },
      { severities: ['error', 'info'] },
      { cvm_ids: [web.id] },
      { app_ids: [app.app.id], severities: ['warning'] },
      { app_ids: [] },
      { operation_ids: [failed.id] },
      { actor_ids: [who.user_id] },
      { actor_ids: [null, who.user_id + 1] },
    ];
    for (const conditions of some)
      for (const without of some) {
        const filter: EventFilter = {
          ...conditions,
          team_id: who.team_id,
          after: new Date('2026-01-05T10:00Z'),
          without,
        };
        const { rows: found } = await sql<{ id: number }>`
          select id from events where team_id = ${who.team_id} and ${whereEvent(filter)} order by id`.execute(
          db,
        );
        expect(
          rows.filter((row) => fitsEvent(filter, row)).map(({ event }) => event.id),
          JSON.stringify({ conditions, without }),
        ).toEqual(found.map(({ id }) => id));
      }
  });
});

describe('the event stream with a search', () => {
  it('delivers matching events only', async () => {
    const token = await insertToken(server.services.db, who);
    const stop = new AbortController();
    const q = encodeURIComponent('severity:error "eu-2" -kind:host.*');
    const answer = await fetch(`${server.url}/api/v1/events/stream?q=${q}`, {
      headers: { 'x-api-key': token },
      signal: stop.signal,
    });
    let text = '';
    const done = (async () => {
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk;
    })().catch(() => undefined);
    await expect.poll(() => text).toContain(': connected');
    const base = { team_id: who.team_id, severity: 'error' as const };
    await server.services.db
      .insertInto('events')
      .values([
        { ...base, kind: 'update.failed', message: 'eu-1 is away' },
        { ...base, kind: 'host.vmm.exited', message: 'eu-2 is away' },
        { ...base, kind: 'update.failed', message: 'eu-2 is away', severity: 'info' },
        { ...base, kind: 'update.failed', message: 'eu-2 is away, truly' },
      ])
      .execute();
    await expect.poll(() => text).toContain('eu-2 is away, truly');
    expect(text.match(/^data: /gm)).toHaveLength(1);
    stop.abort();
    await done;
    const refused = await fetch(`${server.url}/api/v1/events/stream?q=kind:`, {
      headers: { 'x-api-key': token },
    });
    expect(refused.status).toBe(422);
  });
});
