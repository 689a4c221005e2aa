import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { insertTeam } from '../../testing/teamFixtures';
import { createDb, createPool } from '../core/client';
import type { Database } from '../core/schema';
import type { CvmRow } from '../cvms/cvmsTable';
import { announceExpiry } from '../platform/retention';
import { keepEventPartitions, type PartitionStep } from './eventPartitions';
import { announceEventExpiry, forgetEvents } from './eventRetention';
import { searchEvents } from './eventSearch';

const SIZE = 1000;

let database: TestDatabase;
let cvm: CvmRow;
let quiet: CvmRow;
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const host = await insertHost(db);
  const made = async (slug: string) => {
    const { id: team_id } = await insertTeam(db, slug);
    return insertCvm(db, { ...(await insertApp(db, { team_id, host, name: slug })), host });
  };
  cvm = await made('busy');
  quiet = await made('quiet');
});
afterAll(() => database.drop());

const keep = (now = new Date()) => keepEventPartitions(database.db, SIZE, now);

/** Repeats a run that gave up because a row was being written. */
async function keepUntilDone(now = new Date()): Promise<PartitionStep> {
  for (;;) {
    const step = await keep(now);
    if (step !== 'held') return step;
  }
}

const add = (of: CvmRow, count: number, days = 0) =>
  fill(database.db, (trx) =>
    sql`insert into events (team_id, app_id, cvm_id, kind, message, created_at)
      select ${of.team_id}, ${of.app_id}, ${of.id}, 'host.note', 'Note ' || n, now() - make_interval(days => ${days})
      from generate_series(1, ${count}::int) n`.execute(trx),
  );

/** Records a host report as the reconciler does. @returns the number of new events */
async function report(key: string): Promise<number> {
  const { rows } = await sql`
    insert into events (team_id, cvm_id, kind, message, host_key)
    values (${cvm.team_id}, ${cvm.id}, 'host.note', 'Reported', ${Buffer.from(key)})
    on conflict do nothing returning id`.execute(database.db);
  return rows.length;
}

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass order by length(c.relname), c.relname`.execute(database.db);
  return rows.map(({ name }) => name);
}

const read = async () => {
  const { rows } = await sql<{ id: number; row: string }>`
    select id, to_jsonb(e)::text as row from events e order by id`.execute(database.db);
  return rows;
};

it('leaves a small table as it is', async () => {
  await add(quiet, 30);
  await add(cvm, SIZE - 40);
  await report('before');
  expect(await keep()).toBe('none');
  expect(await partitions()).toEqual([]);
});

it('waits until processes that need an undivided table are gone', async () => {
  await add(cvm, 60);
  await sql`insert into workers (id, hostname, pid, role, version) values ('old', 'h', 1, 'worker', '0')`.execute(
    database.db,
  );
  expect(await keep()).toBe('older_processes');
  await sql`update workers set seen_at = now() - interval '1 hour'`.execute(database.db);
});

it('divides a large table while others write, and keeps every event', async () => {
  const { db } = database;
  const before = await read();
  let writing = true;
  let written = 0;
  const writer = (async () => {
    while (writing) {
      await add(cvm, 1);
      written += 1;
    }
  })();
  expect(await keepUntilDone()).toBe('divided');
  while (written < 3) await wait(10);
  writing = false;
  await writer;
  const [first, ...others] = await partitions();
  expect(first).toBe('events_rest');
  expect(others).toHaveLength(2);

  const after = await read();
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after).toHaveLength(before.length + written);
  expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
  expect(await keep()).toBe('none');

  // The old table's constraints apply to its partitions.
  expect(await report('before')).toBe(0);
  expect(await report('after')).toBe(1);
  expect(await report('after')).toBe(0);
  await expect(
    sql`insert into events (team_id, kind, message) values (0, 'a.b', '')`.execute(db),
  ).rejects.toThrow('events_team_id_fkey');
  await expect(
    sql`insert into events (team_id, kind, message, severity) values (${cvm.team_id}, 'a.b', '', 'odd')`.execute(
      db,
    ),
  ).rejects.toThrow('severity');
  await sql`delete from event_feed`.execute(db);
  await sql`insert into events (team_id, cvm_id, kind, message) values (${cvm.team_id}, ${cvm.id}, 'cvm.lost', '')`.execute(
    db,
  );
  expect(await db.selectFrom('event_feed').select('kind').execute()).toEqual([{ kind: 'cvm.lost' }]);
});

it('starts again if events approach the end that it checks', async () => {
  const other = await createTestDatabase();
  try {
    const { id: team_id } = await insertTeam(other.db, 'fast');
    const fast = (count: number) =>
      sql`insert into events (team_id, kind, message) select ${team_id}, 'a.b', '' from generate_series(1, ${count}::int)`.execute(
        other.db,
      );
    await fast(SIZE);
    // The state left by a process that was killed before it checked the rows.
    await sql`alter table events add constraint events_before_2000 check (id < 2000) not valid`.execute(
      other.db,
    );
    await fast(600);
    expect(await keepEventPartitions(other.db, SIZE)).toBe('changed');
    const notices: string[] = [];
    const verbose = createPool(
      { ...other.connection, options: '-c client_min_messages=debug1' },
      { applicationName: 'verbose', size: 1 },
    );
    verbose.on('connect', (client) => client.on('notice', ({ message }) => notices.push(message ?? '')));
    expect(await keepEventPartitions(createDb(verbose), SIZE)).toBe('divided');
    await verbose.end();
    // The rows are read before the table is renamed, while others write, and no index is built.
    expect(notices).toContain(
      'partition constraint for table "events_before_2600" is implied by existing constraints',
    );
    expect(notices.join('\n')).not.toMatch(
      /rewriting|validating foreign key|(verifying|building).* table "events_before_2600"/,
    );
    await fast(SIZE);
    const { rows } = await sql`select id from only events_before_2600`.execute(other.db);
    expect(rows).toHaveLength(2599);
  } finally {
    await other.drop();
  }
});

it('creates partitions ahead, and accepts events that arrive sooner', async () => {
  const { db } = database;
  await add(cvm, 5 * SIZE);
  const { rows: early } = await sql`select id from events_rest`.execute(db);
  expect(early.length).toBeGreaterThan(0);
  expect(await keepUntilDone()).toBe('changed');
  await add(cvm, SIZE);
  const { rows: rest } = await sql`select id from events_rest`.execute(db);
  expect(rest.length).toBeLessThan(early.length + SIZE);
  await keepUntilDone();
  const ids = (await read()).map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
});

it('reads only few of many partitions for the newest events', async () => {
  const { db } = database;
  while ((await partitions()).length < 26) {
    await add(cvm, SIZE / 2);
    await keepUntilDone();
  }
  await sql`analyze events`.execute(db);
  const asked: CompiledQuery[] = [];
  const listening = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void asked.push(query),
  });
  const page = await searchEvents(listening, { team_id: cvm.team_id }, undefined, 20, SIZE);
  expect(page.rows).toHaveLength(20);
  const newest = await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(20).execute();
  expect(page.rows.map(({ event }) => event.id)).toEqual(newest.map(({ id }) => id));

  const pages: number[] = [];
  for (let cursor: number | null | undefined; cursor !== null;) {
    const { rows, next } = await searchEvents(db, { team_id: cvm.team_id }, cursor, 500, SIZE);
    pages.push(...rows.map(({ event }) => event.id));
    cursor = next;
  }
  const { rows: all } = await sql<{ id: number }>`
    select id from events where team_id = ${cvm.team_id} order by id desc`.execute(db);
  expect(pages).toEqual(all.map(({ id }) => id));

  const used = new Set<string>();
  const client = await database.pool.connect();
  // In partitions this small, PostgreSQL may prefer a sequential scan even though there is an index.
  await client.query('set enable_seqscan = off');
  for (const { sql: text, parameters } of asked) {
    const { rows } = await client.query<Record<string, string>>(`explain ${text}`, [...parameters]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan on events');
    for (const [name] of plan.matchAll(/events_(before_\d+|rest)(?= )/g)) used.add(name);
  }
  client.release(true);
  expect(used.size).toBeGreaterThan(0);
  expect(used.size).toBeLessThanOrEqual(4);

  // A team whose only events are in the first partition. On a busy machine it takes several pages to get there.
  const found: number[] = [];
  for (let cursor: number | null | undefined; cursor !== null;) {
    const { rows, next } = await searchEvents(db, { team_id: quiet.team_id }, cursor, 50, SIZE);
    found.push(...rows.map(({ event }) => event.id));
    cursor = next;
  }
  expect(found).toHaveLength(30);
});

it('drops a partition once all its events are expired and that was announced', async () => {
  const { db } = database;
  const [, ...before] = await partitions();
  const [oldest, next] = before;
  await sql`update events set created_at = now() - interval '401 days' where tableoid = ${oldest}::regclass`.execute(
    db,
  );
  await sql`update events set created_at = now() - interval '401 days' where id = (
    select min(id) from events where tableoid = ${next}::regclass)`.execute(db);
  const old = await sql<{ n: number }>`select count(*)::int as n from events
    where created_at >= now() - interval '400 days'`.execute(db);
  const later = new Date(Date.now() + 15 * 86_400_000);
  expect(await keepUntilDone(later)).toBe('none');
  expect(await announceEventExpiry(db)).toBe(true);
  expect(await keepUntilDone()).toBe('none');
  expect(await partitions()).toContain(oldest);
  // The teams weren't notified.
  expect(await keepUntilDone(later)).toBe('none');
  for (const { team_id } of [cvm, quiet]) await announceExpiry(db, { minute: team_id % 60 });
  expect(await keepUntilDone()).toBe('none');
  expect(await keepUntilDone(later)).toBe('changed');
  expect(await partitions()).not.toContain(oldest);
  expect(await keepUntilDone(later)).toBe('none');
  expect(await partitions()).toContain(next);
  const audited = await db
    .selectFrom('audit_log')
    .select('target_id')
    .where('action', '=', 'events.partition_drop')
    .execute();
  expect(audited).toEqual([{ target_id: oldest }]);
  await forgetEvents(db, { now: later });
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from events`.execute(db);
  expect(rows).toEqual(old.rows);
});
