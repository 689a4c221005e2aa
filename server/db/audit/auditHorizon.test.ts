import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { auditEntriesAfter } from './auditExport';
import { createAuditHorizon, type AuditHorizon } from './auditHorizon';

let database: TestDatabase;
let horizon: AuditHorizon;
const teams: number[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  for (const slug of ['one', 'two']) {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into teams (public_id, slug, name, wallet_address) values ('wks_' || $1, $1, $1, '0x') returning id`,
      [slug],
    );
    teams.push(rows[0]!.id);
  }
});
afterAll(() => database.drop());
beforeEach(() => {
  horizon = createAuditHorizon(database.db);
});

const add = async (client: pg.Pool | pg.PoolClient, team: number | undefined): Promise<number> => {
  const { rows } = await client.query<{ id: number }>(
    `insert into audit_log (actor_kind, action, team_id) values ('system', 'thing.change', $1) returning id`,
    [team ?? null],
  );
  return rows[0]!.id;
};
/** Starts a transaction that has added an entry and stays open. */
async function writer(
  team: number | undefined,
): Promise<{ id: number; end(how: 'commit' | 'rollback'): Promise<void> }> {
  const client = await database.pool.connect();
  await client.query('begin');
  const id = await add(client, team);
  return {
    id,
    async end(how) {
      await client.query(how);
      client.release();
    },
  };
}
const read = async (after: number) =>
  (await auditEntriesAfter(database.db, { after, up_to: await horizon.settled(), limit: 100 })).map(
    ({ id }) => id,
  );

it('passes no entry that an open transaction may still commit', async () => {
  const start = await add(database.pool, teams[0]);
  expect(await read(start - 1)).toEqual([start]);
  const slow = await writer(teams[0]);
  const fast = await add(database.pool, teams[1]);
  expect(fast).toBeGreaterThan(slow.id);
  expect(await read(start)).toEqual([]);
  const later = await writer(undefined);
  await slow.end('commit');
  // The later one doesn't hold back earlier entries.
  expect(await read(start)).toEqual([slow.id, fast]);
  await later.end('commit');
  expect(await read(fast)).toEqual([later.id]);
});

it('is not held back by entries that were rolled back', async () => {
  const start = await add(database.pool, teams[0]);
  expect(await read(start - 1)).toEqual([start]);
  const undone = await writer(teams[0]);
  const kept = await add(database.pool, teams[1]);
  expect(await read(start)).toEqual([]);
  await undone.end('rollback');
  expect(await read(start)).toEqual([kept]);
});

it('reads every entry once and in order while many transactions commit in any order', async () => {
  let last = await add(database.pool, undefined);
  expect(await horizon.settled()).toBeGreaterThan(0);
  const seen: number[] = [];
  let isDone = false;
  const writing = Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      for (let i = 0; i < 25; i++) {
        const one = await writer([undefined, ...teams][(n + i) % 3]);
        // Holds its chain, so that the others commit in a different order than they took IDs.
        await database.pool.query('select pg_sleep(0.002)');
        await one.end(i % 7 === 3 ? 'rollback' : 'commit');
      }
    }),
  ).then(() => (isDone = true));
  const start = last;
  for (let after = start; ;) {
    const wasDone = isDone;
    const ids = await read(after);
    seen.push(...ids);
    last = ids.at(-1) ?? after;
    if (wasDone && ids.length === 0) break;
    after = last;
  }
  await writing;
  const { rows } = await database.pool.query<{ id: number }>(
    'select id from audit_log where id > $1 order by id',
    [start],
  );
  expect(seen).toEqual(rows.map(({ id }) => id));
  expect(seen.length).toBeGreaterThan(50);
});
