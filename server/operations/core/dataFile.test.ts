import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportHref, type ExportedKind } from '../../../console/lib/activity/retention';
import { publicId } from '../../domain/core/publicId';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { insertTestWebhook } from '../../testing/teamFixtures';
import { addMember } from '../teams/testing/members';
import type { Context } from '../types';
import { dataFile } from './dataFile';

/** The exports of data that expires: events, webhook deliveries and rollouts. Those of AI requests are in ai.test.ts. */

const OPERATIONS = ['exportEvents', 'exportWebhookDeliveries', 'exportRollouts'] as const;
/** More than several batches. */
const EVENTS = 450;

let server: TestServer;
let owner: TestClient;
let stranger: TestClient;
let slug: string;
let app_id: string;
let vm_uuid: string;
let webhooks: string[];
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db, seal } = server.services;
  owner = await server.register();
  stranger = await server.register();
  slug = owner.slug!;
  const host = await insertHost(db);
  // Each team has the same, named by its owner.
  for (const client of [stranger, owner]) {
    const who = await identityOf(db, client.email!);
    const name = client === owner ? 'ours' : 'theirs';
    const app = await insertApp(db, { ...who, host, name });
    const cvm = await insertCvm(db, { ...app, host, ...who, change: { name } });
    await sql`insert into events (team_id, app_id, cvm_id, kind, message, created_at)
      select ${who.team_id}, ${app.app.id}, case when n % 2 = 0 then ${cvm.id}::bigint end, 'team.note',
        case n when 7 then '=HYPERLINK("x")' else ${name}::text || ' ' || n end, now() - make_interval(mins => ${EVENTS}::int - n)
      from generate_series(1, ${EVENTS}::int) n`.execute(db);
    const hooks: string[] = [];
    for (let i = 0; i < 2; i++) {
      const team = { id: who.team_id, slug: client.slug!, name };
      const { webhook } = await insertTestWebhook(db, seal, { team, url: 'http://127.0.0.1:9' });
      hooks.push(webhook.public_id);
      await sql`insert into webhook_deliveries (webhook_id, event_id, event, body, state, attempts, finished_at)
        select ${webhook.id}, 'evt_' || ${webhook.id}::bigint || '_' || n, 'cvm.created', json_build_object('data', ${name}::text, 'n', n)::text,
          'failed', '[{"at":"2026-11-30T08:00:00.000Z","status":503,"error":"status","message":"Busy","duration_ms":12}]', now()
        from generate_series(1, 205) n`.execute(db);
    }
    for (let i = 1; i <= 12; i++)
      await sql`
        with one as (
          insert into rollouts (public_id, team_id, app_id, revision_id, state, reason, settle_seconds, health_timeout_seconds,
            finished_at, deadline_at)
          values (${publicId('rol')}, ${who.team_id}, ${app.app.id}, ${app.revision.id}, 'succeeded', ${`${name} ${i}`}, 30, 600,
            now(), now()) returning id)
        insert into rollout_items (rollout_id, position, cvm_id, state, message, previous_revision_id, previous_os_image)
        select id, 1, ${cvm.id}, 'updated', ${i === 12 ? 'No report.' : null}, ${app.revision.id}, 'dstack' from one`.execute(
        db,
      );
    if (client !== owner) continue;
    ({ app_id } = app.app);
    ({ vm_uuid } = cvm);
    webhooks = hooks;
  }
});
afterAll(() => server?.stop());

const download = (kind: ExportedKind, format: 'csv' | 'jsonl', narrowed = {}, client = owner) =>
  fetch(`${server.address}${exportHref(slug, kind, format, narrowed)}`, {
    headers: { cookie: client.cookie ?? '' },
  });
async function rows<T>(kind: ExportedKind, narrowed = {}): Promise<T[]> {
  const reply = await download(kind, 'jsonl', narrowed);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toContain('application/x-ndjson');
  const text = await reply.text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}
async function lines(kind: ExportedKind, narrowed = {}): Promise<string[]> {
  const reply = await download(kind, 'csv', narrowed);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toContain('text/csv');
  expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
  const text = await reply.text();
  expect(text).not.toContain('theirs');
  return text.trimEnd().split('\r\n');
}

describe('an export', () => {
  it('has all events of the team, newest first, as the list has them', async () => {
    const events = await rows<{ id: string; message: string }>('events');
    expect(events).toHaveLength(EVENTS);
    expect(new Set(events.map(({ id }) => id)).size).toBe(EVENTS);
    expect(events.filter(({ message }) => message.includes('theirs'))).toEqual([]);
    const { body } = await owner.call('listEvents', { query: { limit: 100 } });
    expect(events.slice(0, 100)).toEqual(body.data);
  });

  it('of events has what a search finds', async () => {
    expect(await rows('events', { cvm: vm_uuid })).toHaveLength(EVENTS / 2);
    expect(await rows('events', { app_id })).toHaveLength(EVENTS);
    expect(await rows('events', { q: '"ours 449"' })).toMatchObject([{ message: 'ours 449' }]);
    expect(await lines('events', { q: 'kind:other' })).toHaveLength(1);
  });

  it('as CSV is safe to open in a spreadsheet', async () => {
    const [head, ...rest] = await lines('events');
    expect(head).toBe('created_at,id,kind,severity,message,app_id,cvm_id,cvm_name,correlation_id,user,data');
    expect(rest).toHaveLength(EVENTS);
    expect(rest.filter((line) => line.includes('HYPERLINK'))).toEqual([
      expect.stringContaining(`"'=HYPERLINK(""x"")"`),
    ]);
  });

  it('has the deliveries of all webhooks, or of one', async () => {
    const all = await rows<{ webhook_id: string; event_id: string; payload: unknown }>('webhook_deliveries');
    expect(all.map(({ webhook_id }) => webhook_id)).toEqual(
      webhooks.flatMap((id) => Array<string>(205).fill(id)),
    );
    expect(JSON.stringify(all)).not.toContain('theirs');
    const [first = ''] = webhooks;
    const one = await rows<{ webhook_id: string }>('webhook_deliveries', { webhook_id: first });
    expect(one).toHaveLength(205);
    const { body } = await owner.call('listWebhookDeliveries', { path: { webhook_id: first } });
    expect(one.slice(0, 20)).toEqual(body.items.map((item) => ({ webhook_id: first, ...item })));
    const csv = await lines('webhook_deliveries', { webhook_id: first });
    expect(csv).toHaveLength(206);
    expect(csv[1]).toContain(',failed,false,1,2026-11-30T08:00:00.000Z,503,status,Busy,12,');
  });

  it('has the rollouts of all apps with their CVMs, or of one', async () => {
    const all = await rows<{ reason: string; items: unknown[] }>('rollouts');
    expect(all.map(({ reason }) => reason)).toEqual(Array.from({ length: 12 }, (_, i) => `ours ${12 - i}`));
    expect(all[0]?.items).toMatchObject([{ state: 'updated', cvm: { vm_uuid } }]);
    expect(await rows('rollouts', { app_id })).toEqual(all);
    const { body, status } = await owner.call('listRollouts', { path: { app_id } });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(all).toEqual(body.data);
    const [head = '', ...rest] = await lines('rollouts');
    expect(rest).toHaveLength(12);
    const names = head.split(',');
    const counts = rest
      .slice(0, 2)
      .map((line) => names.flatMap((name, i) => (name.endsWith('cvms') ? [name, line.split(',')[i]] : [])));
    // The newest rollout's CVM wasn't confirmed healthy.
    expect(counts).toEqual([
      ['cvms', '1', 'updated_cvms', '1', 'healthy_cvms', '0'],
      ['cvms', '1', 'updated_cvms', '1', 'healthy_cvms', '1'],
    ]);
  });

  it('has the rollouts of deleted apps, with all of their CVMs', async () => {
    const { db } = server.services;
    const who = await identityOf(db, owner.email!);
    const host = await insertHost(db);
    const { app, revision } = await insertApp(db, { ...who, host, name: 'gone' });
    // More than a list shows.
    for (let i = 0; i < 51; i++)
      await insertCvm(db, { app, revision, host, ...who, change: { name: `gone-${i}` } });
    await sql`
      with one as (
        insert into rollouts (public_id, team_id, app_id, revision_id, state, reason, settle_seconds, health_timeout_seconds,
          finished_at, deadline_at)
        values (${publicId('rol')}, ${who.team_id}, ${app.id}, ${revision.id}, 'succeeded', 'gone', 30, 600, now(), now()) returning id)
      insert into rollout_items (rollout_id, position, cvm_id, state, previous_revision_id, previous_os_image)
      select one.id, row_number() over (), c.id, 'updated', ${revision.id}, 'dstack' from one, cvms c where c.app_id = ${app.id}`.execute(
      db,
    );
    await sql`update apps set archived_at = now() where id = ${app.id}`.execute(db);
    const all = await rows<{ reason: string; items: unknown[] }>('rollouts');
    expect(all.find(({ reason }) => reason === 'gone')?.items).toHaveLength(51);
  });

  it('is for the team only, and for callers who may read the data', async () => {
    const { db } = server.services;
    const foreign = await insertToken(db, await identityOf(db, stranger.email!));
    const narrow = await insertToken(db, await identityOf(db, owner.email!), ['user:profile']);
    const own = await insertToken(db, await identityOf(db, owner.email!));
    const { client: viewer } = await addMember(server, slug, 'viewer');
    for (const operation of OPERATIONS) {
      const status = async (client: TestClient) => (await client.call(operation, { path: { slug } })).status;
      const byToken = (token: string) => status(server.anonymous.with({ 'x-api-key': token }));
      expect([operation, await status(server.anonymous)]).toEqual([operation, 401]);
      expect([operation, await status(stranger)]).toEqual([operation, 404]);
      expect([operation, await byToken(foreign)]).toEqual([operation, 404]);
      expect([operation, await byToken(narrow)]).toEqual([operation, 403]);
      expect([operation, await byToken(own)]).toEqual([operation, 200]);
      const expected = operation === 'exportWebhookDeliveries' ? 403 : 200;
      expect([operation, await status(viewer)]).toEqual([operation, expected]);
    }
  });

  it('refuses what names nothing of the team, and an unknown format', async () => {
    const { db } = server.services;
    const { rows: theirs } = await sql<{ app_id: string; vm_uuid: string; webhook_id: string }>`
      select a.app_id, c.vm_uuid, w.public_id as webhook_id from teams t join apps a on a.team_id = t.id
      join cvms c on c.app_id = a.id join webhooks w on w.team_id = t.id where t.slug = ${stranger.slug} limit 1`.execute(
      db,
    );
    const [other] = theirs;
    const status = async (kind: ExportedKind, narrowed: Record<string, string>) =>
      (await download(kind, 'csv', narrowed)).status;
    expect(await status('events', { cvm: other!.vm_uuid })).toBe(404);
    expect(await lines('events', { app_id: other!.app_id })).toHaveLength(1);
    expect(await status('webhook_deliveries', { webhook_id: other!.webhook_id })).toBe(404);
    expect(await status('rollouts', { app_id: other!.app_id })).toBe(404);
    expect(await status('rollouts', { app_id: 'nothing' })).toBe(404);
    expect(await status('events', { q: 'severty:error' })).toBe(422);
    for (const operation of OPERATIONS)
      expect((await owner.call(operation, { path: { slug }, query: { format: 'xlsx' } })).status).toBe(422);
  });

  it('reads no further than its reader', async () => {
    let read = 0;
    async function* batches() {
      for (; read < 1_000; read++) yield [{ n: read }];
    }
    const { stream } = dataFile(
      { caller: { team: { id: 0, slug: 'team' } }, signal: new AbortController().signal } as Context,
      { what: 'rows', format: 'jsonl', columns: {}, batches: batches() },
    );
    const pieces = stream[Symbol.asyncIterator]();
    expect(await pieces.next()).toEqual({ value: '{"n":0}\n', done: false });
    expect(await pieces.next()).toEqual({ value: '{"n":1}\n', done: false });
    expect(read).toBeLessThan(3);
    await pieces.return?.();
    expect(read).toBeLessThan(3);
  });

  it('is one of two at a time per team', async () => {
    const { db } = server.services;
    const { team_id } = await identityOf(db, owner.email!);
    await sql`insert into events (team_id, kind, message, data)
      select ${team_id}, 'team.note', 'large', json_build_object('text', repeat('x', 8000)) from generate_series(1, 4000)`.execute(
      db,
    );
    // Nobody reads these: they stop once the connection's buffers are full.
    const stalled = await Promise.all(
      [1, 2].map(async () => {
        const stop = new AbortController();
        const reply = await fetch(`${server.address}${exportHref(slug, 'events', 'jsonl')}`, {
          headers: { cookie: owner.cookie ?? '' },
          signal: stop.signal,
        });
        expect(reply.status).toBe(200);
        return stop;
      }),
    );
    const third = await download('rollouts', 'csv');
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await stranger.call('exportRollouts', { path: { slug: stranger.slug! } })).status).toBe(200);
    for (const stop of stalled) stop.abort();
    // Each place is free a moment after its reader has left.
    await vi.waitFor(async () => expect(await rows('events', { q: 'large' })).toHaveLength(4000), 10_000);
  });
});
