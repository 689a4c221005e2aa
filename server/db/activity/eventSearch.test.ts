import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../console/lib/attestation/testing/random';
import { insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { fill } from '../../testing/fill';
import { searchEvents } from './eventSearch';
import type { EventFilter } from './events';
import type { CvmRow } from '../cvms/cvmsTable';
import type { Database } from '../core/schema';

/**
 * Two teams share one table. Results are checked against a plain scan of every row; the rows read are checked
 * against PostgreSQL's query plan.
 */
const EVENTS = 30_000;

let database: TestDatabase;
let team: number;
let other: number;
let cvms: CvmRow[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const [a, b] = await db
    .insertInto('teams')
    .values(
      [1, 2].map((n) => ({ public_id: `tm_${n}`, slug: `t${n}`, name: `t${n}`, wallet_address: `0x${n}` })),
    )
    .returning('id')
    .execute();
  team = a!.id;
  other = b!.id;
  const host = await insertHost(db);
  const one = await insertApp(db, { team_id: team, host, name: 'one' });
  const two = await insertApp(db, { team_id: other, host, name: 'two' });
  cvms = [
    await insertCvm(db, { ...one, host }),
    await insertCvm(db, { ...one, host }),
    await insertCvm(db, { ...two, host }),
  ];
  await sql`alter table events disable trigger events_notify`.execute(db);
  // Only the first team's oldest 100 rows contain “Zanzibar”; errors are one in a thousand.
  await fill(db, (trx) =>
    sql`
    insert into events (team_id, app_id, cvm_id, kind, severity, message, created_at)
    select c.team_id, c.app_id, c.id,
      (array['boot.progress', 'host.boot.progress', 'update.succeeded', 'update.failed', 'cvm.lost'])
        [1 + case when n % 1000 = 7 then 3 when n % 5000 = 11 then 4 else n % 3 end],
      case when n % 1000 = 7 then 'error' when n % 700 = 3 then 'warning' else 'info' end,
      case when n <= 100 then 'Zanzibar ' else '' end || 'Boot: step ' || n || ' of eu-' || n % 10,
      '2026-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${EVENTS}::int) n,
      lateral (select * from cvms where id = (array[${cvms[0]!.id}, ${cvms[1]!.id}, ${cvms[2]!.id}]::bigint[])[1 + n % 3]) c`.execute(
      trx,
    ),
  );
  await sql`vacuum analyze events`.execute(db);
}, 120_000);
afterAll(() => database.drop());

/** Reads all pages, checking that each is small and arrives quickly. */
async function all(filter: Omit<EventFilter, 'team_id'>, limit = 100, team_id = team): Promise<number[]> {
  const ids: number[] = [];
  let cursor: number | undefined;
  for (let pages = 0; pages < 1000; pages++) {
    const { rows, next } = await searchEvents(database.db, { team_id, ...filter }, cursor, limit);
    expect(rows.length).toBeLessThanOrEqual(limit);
    ids.push(...rows.map((row) => row.event.id));
    if (next === null) return ids;
    cursor = next;
  }
  throw new Error('more pages than rows');
}

const plainly = async (condition: string, team_id = team): Promise<number[]> =>
  (
    await sql<{
      id: number;
    }>`select id from events where team_id = ${team_id} and (${sql.raw(condition)}) order by id desc`.execute(
      database.db,
    )
  ).rows.map(({ id }) => id);

describe('search results', () => {
  const cases: [string, Omit<EventFilter, 'team_id'> | (() => Omit<EventFilter, 'team_id'>), string][] = [
    ['kinds', { kinds: ['update.failed', 'cvm'] }, `kind in ('update.failed', 'cvm.lost')`],
    ['patterns', { kinds: ['*.progress'] }, `kind like '%.progress'`],
    ['severities', { severities: ['error', 'warning'] }, `severity <> 'info'`],
    ['a rare word', { texts: ['zanz'] }, `message like 'Zanzibar%'`],
    [
      'a rare word with an hour',
      { texts: ['Zanzibar'], after: new Date('2026-01-01T01:00Z') },
      `message like 'Zanzibar%' and created_at >= '2026-01-01T01:00Z'`,
    ],
    [
      'a phrase with signs',
      { texts: ['of eu-3'], severities: ['error'] },
      `message like '%of eu-3' and severity = 'error'`,
    ],
    ['a number by its beginning', { texts: ['step 1234'] }, `message ~ 'step 1234'`],
    ['signs only', { texts: [': s'], kinds: ['cvm.lost'] }, `message like '%: s%' and kind = 'cvm.lost'`],
    ['no word', { texts: ['nowhere'] }, 'false'],
    [
      'two common words never together',
      { texts: ['boot', 'zanzibar', 'eu-9'], without: { texts: ['step'] } },
      'false',
    ],
    ['negation', { without: { kinds: ['boot', 'host.*', 'update'] } }, `kind = 'cvm.lost'`],
    [
      'a span of time',
      { after: new Date('2026-01-10'), before: new Date('2026-01-11') },
      `created_at >= '2026-01-10Z' and created_at < '2026-01-11Z'`,
    ],
    [
      'CVMs',
      () => ({ cvm_ids: [cvms[1]!.id], severities: ['error'] }),
      `severity = 'error' and cvm_id = (select max(id) from cvms where team_id = events.team_id)`,
    ],
    ['an empty list', { cvm_ids: [] }, 'false'],
    ['nobody', { actor_ids: [null], kinds: ['cvm.lost'] }, `kind = 'cvm.lost'`],
  ];
  it.each(cases)('by %s returns every match once, newest first', async (_, filter, condition) => {
    const asked = typeof filter === 'function' ? filter() : filter;
    expect(await all(asked)).toEqual(await plainly(condition));
  });

  it("returns only the team's events", async () => {
    expect(await all({ severities: ['error'] }, 100, other)).toEqual(
      await plainly(`severity = 'error'`, other),
    );
    expect(await all({ cvm_ids: [cvms[2]!.id] })).toEqual([]);
    expect(await all({ texts: ['zanzibar'] }, 100, other)).toEqual(
      await plainly(`message like 'Zanzibar%'`, other),
    );
  });
});

it('cuts the same words as before migration 0333, whose rows are not written again', async () => {
  const random = new Random(333);
  const pieces = [
    'a',
    'Z',
    '9',
    'é',
    'ß',
    '漢',
    '_',
    ' ',
    '-',
    '.',
    ': ',
    '\n',
    '💥',
    'x'.repeat(63),
    'ÄÖ'.repeat(40),
  ];
  const messages = Array.from({ length: 500 }, () =>
    Array.from({ length: random.below(60) }, () => random.pick(pieces)).join(''),
  );
  await database.db.connection().execute(async (db) => {
    await sql`create function pg_temp.earlier(message text) returns text[] language sql immutable as $$
      select coalesce(array_agg(distinct left(word, 64)), '{}')
      from regexp_split_to_table(lower(left(message, 2000)), '[^[:alnum:]]+') word where word <> ''
    $$`.execute(db);
    const { rows } = await sql<{ message: string }>`
      select message from unnest(${messages}::text[]) message
      where array_to_tsvector(event_words(message)) <> array_to_tsvector(pg_temp.earlier(message))`.execute(
      db,
    );
    expect(rows).toEqual([]);
  });
});

describe('with every kind of filter', () => {
  /** Returns PostgreSQL's plan for the first page. */
  async function plans(filter: Omit<EventFilter, 'team_id'>): Promise<string> {
    const asked: CompiledQuery[] = [];
    const listening = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: database.pool }),
      log: ({ query }) => void asked.push(query),
    });
    // On a slow machine the time budget may end before the page is full; callers request the next one.
    let [found, before]: [number, number | null | undefined] = [0, undefined];
    while (found < 50 && before !== null) {
      const page = await searchEvents(listening, { team_id: team, ...filter }, before, 50 - found);
      [found, before] = [found + page.rows.length, page.next];
    }
    const seen: string[] = [];
    for (const { sql: text, parameters } of asked) {
      if (!/^\s*(with|select)/.test(text)) continue;
      const client = await database.pool.connect();
      // The same setting the word search uses.
      await client.query(`set enable_seqscan = ${text.includes('event_words_query') ? 'off' : 'on'}`);
      const { rows } = await client.query<Record<string, string>>(`explain ${text}`, [...parameters]);
      client.release();
      seen.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return seen.join('\n');
  }

  it.each<[string, Omit<EventFilter, 'team_id'>, string]>([
    ['everything', {}, 'events_team'],
    ['a kind', { kinds: ['cvm.lost'] }, 'events_team_kind'],
    ['gravity', { severities: ['error'] }, 'events_team_severity'],
    ['a CVM', { cvm_ids: [1] }, 'events_cvm'],
    ['an app', { app_ids: [1] }, 'events_app'],
    ['a user', { actor_ids: [1] }, 'events_team_actor'],
    ['an operation', { operation_ids: [1] }, 'events_operation'],
    // With one team in the table, the index over all teams serves as well.
    ['a span of time', { before: new Date('2026-01-10') }, 'events_(team_)?time'],
    ['words', { texts: ['zanzibar'] }, 'events_search'],
    ['an exclusion', { without: { kinds: ['boot'] } }, 'events_team'],
  ])('%s uses its index, never a table scan', async (_, filter, index) => {
    const all = await plans(filter);
    expect(all).toMatch(new RegExp(`Scan (Backward )?(using|on) ${index} `));
    expect(all).not.toContain('Seq Scan on events');
  });
});
