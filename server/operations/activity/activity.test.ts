import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
import type { Context } from '../types';
import { streamEvents } from './streamEvents';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let member: TestClient;
let stranger: TestClient;
let who: { team_id: number; user_id: number };
let token: string;
let app: TestApp;
let cvm: CvmRow;
let other: CvmRow;
let failed: OperationRow;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  stranger = await server.register();
  who = await identityOf(db, member.email!);
  token = await insertToken(db, who);
  const host = await insertHost(db);
  app = await insertApp(db, { ...who, host, name: 'eventful' });
  cvm = await insertCvm(db, { ...app, host, ...who });
  other = await insertCvm(db, { ...app, host, ...who });
  failed = await insertOperation(db, cvm, {
    type: 'update',
    state: 'failed',
    error_code: 'ERR-00-017',
    error_message: 'The host eu-1 does not answer.',
  });
});
afterAll(() => server.stop());

type Given = { cvm?: CvmRow; kind?: string; operation?: OperationRow };
async function insertEvents(count: number, given: Given = {}) {
  const target = given.cvm ?? cvm;
  const rows = await server.services.db
    .insertInto('events')
    .values(
      Array.from({ length: count }, (_, i) => ({
        team_id: target.team_id,
        app_id: target.app_id,
        cvm_id: target.id,
        operation_id: given.operation?.id ?? null,
        kind: given.kind ?? 'boot.progress',
        message: `event ${i}`,
        data: JSON.stringify({ i }),
      })),
    )
    .returning('id')
    .execute();
  return rows.map((row) => String(row.id));
}

describe('operations', () => {
  it('lists operations newest first, in pages, with steps and errors', async () => {
    const { db } = server.services;
    for (let i = 0; i < 4; i++) await insertOperation(db, other, { state: 'succeeded' });
    const live = await insertOperation(db, other);
    const first = await member.call('listOperations', { query: { limit: 4 } });
    expect(first.body.data[0]).toMatchObject({
      correlation_id: live.correlation_id,
      state: 'running',
      cvm: { vm_uuid: other.vm_uuid, app_id: app.app.app_id },
      requested_by: { object_type: 'user' },
      steps: [
        { name: 'stop', state: 'done' },
        { name: 'boot', state: 'running', finished_at: null },
      ],
    });
    expect(first.body.pagination).toMatchObject({ has_more: true, total: null });
    const rest = await member.call('listOperations', {
      query: { limit: 4, cursor: first.body.pagination.next_cursor },
    });
    expect(rest.body.pagination).toMatchObject({ has_more: false, next_cursor: null });
    const all = [...first.body.data, ...rest.body.data].map((row) => row.correlation_id);
    expect(new Set(all).size).toBe(6);
    expect(all.at(-1)).toBe(failed.correlation_id);

    const only = async (query: Record<string, string>) =>
      (await member.call('listOperations', { query })).body.data.map((row) => row.correlation_id);
    expect(await only({ state: 'live' })).toEqual([live.correlation_id]);
    expect(await only({ state: 'finished', cvm: cvm.name })).toEqual([failed.correlation_id]);
    expect(await only({ cvm: `app_${app.app.app_id}` })).toHaveLength(6);
    const { created_at } = (await member.call('listOperations', { query: { limit: 1 } })).body.data[0]!;
    const after = new Date(Date.parse(created_at) + 1000).toISOString();
    expect(await only({ from: after })).toEqual([]);
    expect(await only({ from: '2020-01-01T00:00:00Z', to: after })).toHaveLength(6);
    expect(await only({ to: '2020-01-01T00:00:00Z' })).toEqual([]);
    const ofOne = await member.call('listCvmOperations', { path: { cvm_id: cvm.public_id } });
    expect(ofOne.body.data.map((row) => row.correlation_id)).toEqual([failed.correlation_id]);
  });

  it('returns one operation with its error and a suggestion', async () => {
    const answer = await member.call('getOperation', { path: { correlation_id: failed.correlation_id } });
    expect(answer.body.error).toMatchObject({
      code: 'ERR-00-017',
      message: 'The host eu-1 does not answer.',
      what_to_do: expect.stringContaining('administrator') as string,
    });
    expect(JSON.stringify(answer.body)).not.toContain('payload');
  });

  it('rejects unknown operations and invalid cursors', async () => {
    for (const correlation_id of ['nonsense', '00000000-0000-4000-8000-000000000000'])
      expect((await member.call('getOperation', { path: { correlation_id } })).status).toBe(404);
    expect((await member.call('listOperations', { query: { cursor: 'nonsense' } })).status).toBe(422);
    expect((await member.call('listOperations', { query: { limit: 101 } })).status).toBe(422);
    expect((await member.call('listOperations', { query: { cvm: 'nobody' } })).body).toMatchObject({
      code: 'ERR-03-001',
    });
  });

  it('hides operations and events from other teams', async () => {
    const path = { correlation_id: failed.correlation_id };
    expect((await stranger.call('getOperation', { path })).status).toBe(404);
    expect((await stranger.call('listOperations')).body.data).toEqual([]);
    expect((await stranger.call('listCvmOperations', { path: { cvm_id: cvm.public_id } })).status).toBe(404);
    expect((await stranger.call('listEvents')).body.data).toEqual([]);
    expect((await stranger.call('listEvents', { query: { cvm: cvm.vm_uuid } })).status).toBe(404);
  });
});

describe('events', () => {
  it('lists events newest first, in pages, with filters', async () => {
    const ids = await insertEvents(5, { kind: 'update.failed', operation: failed });
    await insertEvents(2, { cvm: other, kind: 'updates.seen' });
    const query = { limit: 3, kind: 'update' };
    const first = await member.call('listEvents', { query });
    expect(first.body.data.map((row) => row.id)).toEqual(ids.slice(2).reverse());
    expect(first.body.data[0]).toMatchObject({
      app_id: app.app.app_id,
      correlation_id: failed.correlation_id,
      actor: { object_type: 'user' },
      cvm: { id: cvm.public_id },
      data: { i: 4 },
    });
    const rest = await member.call('listEvents', {
      query: { ...query, cursor: first.body.pagination.next_cursor },
    });
    expect(rest.body.data.map((row) => row.id)).toEqual(ids.slice(0, 2).reverse());
    const count = async (q: Record<string, string>) =>
      (await member.call('listEvents', { query: { limit: 100, ...q } })).body.data.length;
    expect(await count({ operation: failed.correlation_id })).toBe(5);
    expect(await count({ cvm: other.vm_uuid })).toBe(2);
    expect(await count({ app_id: `0x${app.app.app_id.toUpperCase()}` })).toBe(7);
    expect(await count({ kind: 'update.failed' })).toBe(5);
  });
});

/** Reads the events of a stream as they arrive. */
async function open(path: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    headers: { 'x-api-key': token, accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  const messages: { id: string | undefined; event: string | undefined; data: Record<string, unknown> }[] = [];
  let text = '';
  const done = (async () => {
    let rest = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const messageTexts = (rest + chunk).split('\n\n');
      rest = messageTexts.pop() ?? '';
      for (const messageText of messageTexts) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(messageText)?.[1];
        const data = field('data');
        if (data !== undefined)
          messages.push({ id: field('id'), event: field('event'), data: JSON.parse(data) as never });
      }
    }
  })().catch(() => undefined);
  return {
    answer,
    messages,
    ids: () => messages.map((message) => message.id),
    text: () => text,
    close: () => (abort.abort(), done),
  };
}

describe('the event stream', () => {
  it('delivers events to every open page of the team and to no other team', async () => {
    const pages = await Promise.all([open('/events/stream'), open('/events/stream')]);
    const strangerToken = await insertToken(
      server.services.db,
      await identityOf(server.services.db, stranger.email!),
    );
    const foreign = await open('/events/stream', { 'x-api-key': strangerToken });
    const narrow = await open(`/events/stream?cvm=${other.vm_uuid}`);
    for (const page of [...pages, foreign, narrow])
      await expect.poll(() => page.text()).toContain(': connected');
    const ids = await insertEvents(3);
    const [last] = await insertEvents(1, { cvm: other });
    for (const page of pages) {
      await expect.poll(() => page.ids()).toEqual([...ids, last]);
      expect(page.answer.headers.get('content-type')).toContain('text/event-stream');
      expect(page.messages[0]!.data).toMatchObject({ id: ids[0], message: 'event 0' });
    }
    await expect.poll(() => narrow.ids()).toEqual([last]);
    expect(foreign.ids()).toEqual([]);
    await Promise.all([...pages, foreign, narrow].map((page) => page.close()));
  });

  it('resumes after Last-Event-ID', async () => {
    const ids = await insertEvents(450);
    const page = await open('/events/stream', { 'last-event-id': ids[0]! });
    await expect.poll(() => page.ids().length).toBe(449);
    const [next] = await insertEvents(1);
    await expect.poll(() => page.ids().at(-1)).toBe(next);
    expect(page.ids()).toEqual([...ids.slice(1), next]);
    await page.close();
  });

  it('tells the reader whether anything happened since its page loaded', async () => {
    const [newest] = await insertEvents(1);
    const page = await open('/events/stream?recent_ms=1000');
    const gapOf = ({ messages }: typeof page) => messages.find(({ event }) => event === 'gap');
    await expect.poll(() => gapOf(page)).toEqual({ id: newest, event: 'gap', data: {} });
    await page.close();
    await server.services.db
      .updateTable('events')
      .set({ created_at: new Date(Date.now() - 3_600_000) })
      .where('team_id', '=', cvm.team_id)
      .execute();
    const later = await open('/events/stream?recent_ms=1000');
    // Events before the stream reads its newest ID may count as missed.
    await expect.poll(() => later.text()).toContain(': connected');
    const [next] = await insertEvents(1);
    await expect.poll(() => later.ids().at(-1)).toBe(next);
    expect(later.messages.filter(({ event }) => event === 'gap')).toEqual([]);
    await later.close();
  });

  it('reports no gap for events that the stream’s filters leave out', async () => {
    await server.services.db
      .updateTable('events')
      .set({ created_at: new Date(Date.now() - 3_600_000) })
      .where('team_id', '=', cvm.team_id)
      .execute();
    const [newest] = await insertEvents(1);
    const gaps = async (filter: string) => {
      const page = await open(`/events/stream?recent_ms=600000&${filter}`);
      await expect.poll(() => page.text()).toContain(`id: ${newest}\n: connected`);
      // An event that both streams send follows their opening lines.
      const [next] = await insertEvents(1, { cvm: other });
      await expect.poll(() => page.ids().at(-1)).toBe(next);
      await page.close();
      await server.services.db.deleteFrom('events').where('id', '=', Number(next)).execute();
      return page.messages.filter(({ event }) => event === 'gap').length;
    };
    expect(await gaps(`cvm=${other.vm_uuid}`)).toBe(0);
    expect(await gaps('')).toBe(1);
  });

  it('lets a reader resume after being cut off before its first event', async () => {
    const [before] = await insertEvents(1);
    const page = await open('/events/stream');
    await expect.poll(() => page.text()).toContain(`id: ${before}\n`);
    await page.close();
    const missed = await insertEvents(2);
    const again = await open('/events/stream', { 'last-event-id': before! });
    await expect.poll(() => again.ids()).toEqual(missed);
    await again.close();
  });

  it('sends a gap event to a client that was away too long', async () => {
    const ids = await insertEvents(1500);
    const page = await open('/events/stream', { 'last-event-id': ids[0]! });
    await expect.poll(() => page.messages.find((message) => message.event === 'gap')).toBeTruthy();
    const gap = page.messages.at(-1)!;
    expect(gap).toMatchObject({ id: ids.at(-1), data: { missed_after: ids[1000] } });
    const [next] = await insertEvents(1);
    await expect.poll(() => page.ids().at(-1)).toBe(next);
    await page.close();
  });

  it('delivers an event whose transaction committed late after newer ones', async () => {
    const page = await open('/events/stream');
    await expect.poll(() => page.text()).toContain(': connected');
    const { db } = server.services;
    let late = '';
    let early: string[] = [];
    await db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto('events')
        .values({ team_id: cvm.team_id, cvm_id: cvm.id, kind: 'boot.progress', message: 'late' })
        .returning('id')
        .executeTakeFirstOrThrow();
      late = String(row.id);
      early = await insertEvents(1);
      await expect.poll(() => page.ids()).toEqual(early);
    });
    await expect.poll(() => page.ids()).toEqual([...early, late]);
    await page.close();
  });

  it('does not replay events from before a gap', async () => {
    const listeners: ((notice: { id: number; cvm_id: number | null }) => void)[] = [];
    const leave = new AbortController();
    const ctx = {
      ...server.services,
      events: {
        subscribe: (_team: number, listener: (typeof listeners)[number]) => (
          listeners.push(listener),
          () => {}
        ),
        onNotification: () => () => {},
        onAnnouncement: () => () => {},
      },
      caller: { user: { id: who.user_id }, team: { id: who.team_id } },
      headers: {},
      signal: leave.signal,
    } as unknown as Context;
    const { stream } = (await streamEvents({
      query: {},
      path: {},
      body: undefined,
      ctx,
    } as never)) as unknown as {
      stream: AsyncGenerator<string, void>;
    };
    await stream.next();
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push(...(await insertEvents(500)));
    const notifyRange = (from: number, to: number) =>
      ids
        .slice(from, to)
        .forEach((id) => listeners.forEach((notify) => notify({ id: Number(id), cvm_id: null })));
    // Exceeds the buffer: the stream continues from the table. Later events use the space this frees.
    notifyRange(0, 1001);
    const texts = [(await stream.next()).value as string];
    notifyRange(1000, 1200);
    while (!texts.at(-1)?.includes('event: gap')) texts.push((await stream.next()).value as string);
    expect(texts.at(-1)).toContain(`id: ${ids.at(-1)}\n`);
    const [next] = await insertEvents(1);
    listeners.forEach((notify) => notify({ id: Number(next), cvm_id: null }));
    expect((await stream.next()).value).toMatch(new RegExp(`^id: ${next}\n`));
    leave.abort();
    await stream.return(undefined);
  });

  it('does not wait for a slow reader', async () => {
    const lazy = new AbortController();
    const stuck = await fetch(`${server.url}/api/v1/events/stream`, {
      headers: { 'x-api-key': token },
      signal: lazy.signal,
    });
    const page = await open('/events/stream');
    await expect.poll(() => page.text()).toContain(': connected');
    const sent: string[] = [];
    for (let i = 0; i < 10; i++) sent.push(...(await insertEvents(500)));
    await expect.poll(() => page.ids().at(-1), { timeout: 60_000 }).toBe(sent.at(-1));
    expect((await member.call('listEvents', { query: { limit: 1 } })).status).toBe(200);
    lazy.abort();
    await stuck.body?.cancel().catch(() => undefined);
    await page.close();
  });
});

it('only members who manage billing can cancel a stop caused by a debt or budget', async () => {
  const { db } = server.services;
  const colleague = await server.register();
  const { user_id } = await identityOf(db, colleague.email!);
  await db
    .insertInto('memberships')
    .values({ team_id: who.team_id, user_id, role: 'member', is_default: false })
    .execute();
  await db.updateTable('operations').set({ state: 'succeeded' }).where('cvm_id', '=', other.id).execute();
  const { correlation_id, id } = await insertOperation(db, other, { type: 'shutdown', state: 'queued' });
  const payload = JSON.stringify({
    stopped_for: 'debt',
    previous: { status: 'running', desired: 'running' },
  });
  await db.updateTable('operations').set({ payload }).where('id', '=', id).execute();
  const acting = colleague.with({ 'x-workspace': member.slug! });
  const refused = await acting.call('cancelOperation', { path: { correlation_id } });
  expect(refused).toMatchObject({
    status: 403,
    body: { message: expect.stringContaining('a payment is due') },
  });
  const answer = await member.call('cancelOperation', { path: { correlation_id } });
  expect(answer).toMatchObject({ status: 202, body: { state: 'cancelled' } });
});
