import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Db } from '../../db/core/client';
import { adminAiUpstreams, noteAiUpstreamCheck } from '../../db/ai/aiUpstreams';
import { adminList, pageQuery } from '../../db/core/adminList';
import { createSeal } from '../../domain/core/seal';
import type { AiServers } from '../../drivers/ai';
import { createLogger } from '../../log';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { eachDue, takeQuery } from '../core/dueRows';
import { housekeeping } from '../core/housekeeping';
import { MORE } from '../core/periodic';
import { checkAiUpstream, checkDueAiUpstreams } from './checkUpstreams';

let database: TestDatabase;
/** What servers answer, by their address. */
let problems: Record<string, string>;
/** Addresses of the servers asked, in this order. */
let asked: string[];
/** How long servers take. */
let answer: (url: string) => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  problems = {};
  asked = [];
  answer = () => Promise.resolve();
  await database.db.deleteFrom('ai_upstreams').execute();
});

/** A worker, of any process. */
const worker = () => ({
  db: database.db,
  seal: createSeal(Buffer.from('s'.repeat(40))),
  log: createLogger('silent'),
  ai: {
    check: async ({ url }: { url: string }) => {
      asked.push(url);
      await answer(url);
      return problems[url] ?? null;
    },
  } as Partial<AiServers> as AiServers,
});

const add = (name: string, change: object = {}) =>
  database.db
    .insertInto('ai_upstreams')
    .values({ name, url: `https://${name}.example.com/v1`, timeout_seconds: 300, ...change })
    .returningAll()
    .executeTakeFirstOrThrow();

const addMany = (count: number) =>
  sql`
    insert into ai_upstreams (name, url, timeout_seconds)
    select 'server-' || n, 'https://server-' || n || '.example.com/v1', 300
    from generate_series(1, ${count}::int) n`.execute(database.db);

const history = async () =>
  (
    await sql<{ name: string; age: number; checks: number; failed_checks: number }>`
      select u.name, h.checks, h.failed_checks,
        extract(epoch from date_trunc('hour', now(), 'UTC') - h.hour)::int / 3600 as age
      from ai_upstream_hours h join ai_upstreams u on u.id = h.upstream_id order by u.name, h.hour`.execute(
      database.db,
    )
  ).rows;

/** Makes the last checks this old, so that all upstreams are due. */
const later = (minutes = 2) =>
  sql`update ai_upstreams set checked_at = now() - make_interval(mins => ${minutes})`.execute(database.db);
/** Makes the history an hour older. */
const nextHour = () => sql`update ai_upstream_hours set hour = hour - interval '1 hour'`.execute(database.db);

it('counts each check once in its hour, however many processes check', async () => {
  await add('a');
  await add('b');
  problems['https://b.example.com/v1'] = 'It is down.';
  for (let round = 0; round < 3; round++) {
    await later();
    await Promise.all([worker(), worker(), worker()].map(checkDueAiUpstreams));
  }
  expect(asked).toHaveLength(6);
  expect(await history()).toEqual([
    { name: 'a', age: 0, checks: 3, failed_checks: 0 },
    { name: 'b', age: 0, checks: 3, failed_checks: 3 },
  ]);
  await nextHour();
  problems = {};
  await later();
  await checkDueAiUpstreams(worker());
  expect((await history()).filter(({ name }) => name === 'b')).toEqual([
    { name: 'b', age: 1, checks: 3, failed_checks: 3 },
    { name: 'b', age: 0, checks: 1, failed_checks: 0 },
  ]);
});

it('checks 1,000 in a minute, not waiting for servers that don’t answer', async () => {
  await addMany(1000);
  let open = 0;
  let most = 0;
  let release!: () => void;
  const timedOut = new Promise<void>((resolve) => (release = resolve));
  answer = async () => {
    most = Math.max(most, ++open);
    // The first of these never answer.
    await (asked.length <= 60 ? timedOut : new Promise((resolve) => setTimeout(resolve, 1)));
    open--;
  };
  const first = checkDueAiUpstreams(worker());
  await vi.waitFor(() => expect([asked.length, open]).toEqual([500, 60]), 30_000);
  release();
  // The rest follows immediately.
  expect(await first).toBe(MORE);
  expect(await checkDueAiUpstreams(worker())).toBe(MORE);
  expect(await checkDueAiUpstreams(worker())).toBeUndefined();
  expect(new Set(asked).size).toBe(1000);
  expect(asked).toHaveLength(1000);
  expect(most).toBeLessThanOrEqual(100);
  expect(await history()).toHaveLength(1000);
});

it('takes no further ones once the process exits', async () => {
  await addMany(150);
  const stopping = new AbortController();
  answer = async () => stopping.abort();
  expect(await checkDueAiUpstreams({ ...worker(), stopping: stopping.signal })).toBeUndefined();
  expect(asked).toHaveLength(100);
});

it('ends after the checks in progress, also if no more can be read', async () => {
  await add('a');
  await add('b');
  let reads = 0;
  const db = {
    getExecutor: () => {
      if (reads++ > 0) throw new Error('connection lost');
      return database.db.getExecutor();
    },
  } as Db;
  const ended: string[] = [];
  const run = eachDue(
    db,
    { table: 'ai_upstreams', looked_at: 'checked_at', minutes: 1, limit: 2, most: 3 },
    async ({ name }) => {
      if (name === 'b') await new Promise((resolve) => setTimeout(resolve, 30));
      ended.push(name);
    },
    () => undefined,
  );
  await expect(run).rejects.toThrow('connection lost');
  expect(ended).toEqual(['a', 'b']);
});

it('stores a result once, and not if another process has checked since', async () => {
  await add('a');
  await later();
  const { rows } = await sql<Awaited<ReturnType<typeof add>>>`
    update ai_upstreams set checked_at = now() returning *`.execute(database.db);
  const taken = rows[0]!;
  const note = () =>
    noteAiUpstreamCheck(database.db, taken, { health: 'failing', last_error: 'Slow.' }, taken.checked_at);
  await Promise.all([note(), note(), note()]);
  await note();
  expect(await history()).toEqual([{ name: 'a', age: 0, checks: 1, failed_checks: 1 }]);
  await later();
  await checkDueAiUpstreams(worker());
  // The first process was suspended, and its result is from before.
  await note();
  expect(await history()).toEqual([{ name: 'a', age: 0, checks: 2, failed_checks: 1 }]);
  const { health } = await database.db.selectFrom('ai_upstreams').select('health').executeTakeFirstOrThrow();
  expect(health).toBe('ok');
});

it('counts neither additional checks nor servers that weren’t asked', async () => {
  const given = await add('a');
  await checkAiUpstream(worker(), given);
  await add('b', {
    evidence_required: true,
    accepted_app_ids: ['a1'.repeat(20)],
    accepted_kms_keys: [`02${'b1'.repeat(32)}`],
  });
  await checkDueAiUpstreams(worker());
  expect(asked).toEqual([given.url]);
  expect(await history()).toEqual([]);
});

it('keeps the checks for 30 days, as long as the upstream exists', async () => {
  const { id } = await add('a');
  await add('b');
  const hours = sql`
    insert into ai_upstream_hours (upstream_id, hour, checks, failed_checks)
    select id, now() + minutes * interval '1 minute' - interval '30 days', 60, 0
    from ai_upstreams, (values (-60), (-1), (1), (60)) ages (minutes)`;
  await hours.execute(database.db);
  await housekeeping(database.db);
  const kept = async () =>
    (
      await sql<{ name: string; minutes: number }>`
        select u.name, round(extract(epoch from h.hour - (now() - interval '30 days')) / 60)::int as minutes
        from ai_upstream_hours h join ai_upstreams u on u.id = h.upstream_id order by u.name, h.hour`.execute(
        database.db,
      )
    ).rows.map(({ name, minutes }) => `${name} ${minutes}`);
  expect(await kept()).toEqual(['a 1', 'a 60', 'b 1', 'b 60']);
  await database.db.deleteFrom('ai_upstreams').where('id', '=', id).execute();
  expect(await kept()).toEqual(['b 1', 'b 60']);
});

it('finds those that are due by an index, however many were just checked', async () => {
  await addMany(5_000);
  await later(0);
  await sql`analyze ai_upstreams`.execute(database.db);
  const due = { table: 'ai_upstreams', looked_at: 'checked_at', minutes: 1 } as const;
  const { rows } = await sql<Record<string, string>>`explain ${takeQuery(due, 100)}`.execute(database.db);
  const plan = rows.flatMap((row) => Object.values(row)).join('\n');
  expect(plan).toContain('ai_upstreams_checked');
  expect(plan).not.toContain('Seq Scan');
});

it.each([false, true])(
  'lists them by their last check by the same index (descending: %s)',
  async (descending) => {
    await addMany(5_000);
    await sql`update ai_upstreams set checked_at = now() - id * interval '1 second'`.execute(database.db);
    await add('new');
    await sql`analyze ai_upstreams`.execute(database.db);
    const sort = { field: 'checked_at', descending };
    const query = { sort, first: 0, last: 24, filter: [], ranges: [], search: null };
    const { rows } = await sql<Record<string, string>>`explain ${pageQuery(adminAiUpstreams, query)}`.execute(
      database.db,
    );
    const plan = rows.flatMap((row) => Object.values(row)).join('\n');
    expect(plan).toContain('ai_upstreams_checked');
    expect(plan).not.toContain('Seq Scan on ai_upstreams');
    // One that was never checked counts as checked longest ago.
    const page = (first: number) =>
      adminList(database.db, adminAiUpstreams, { ...query, first, last: first });
    expect((await page(descending ? 5_000 : 0)).rows.map(({ name }) => name)).toEqual(['new']);
  },
);
