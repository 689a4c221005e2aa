import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { appendAudit, type AuditRow } from './auditLog';
import { verifyChains, type Anchor, type ChainReport } from './auditVerify';
import { withTransaction } from '../core/client';
import { migrate } from '../core/migrate';
import { migrations } from '../migrations';

const open: TestDatabase[] = [];
const fresh = async () => {
  const made = await createTestDatabase();
  open.push(made);
  return made;
};
afterAll(async () => {
  for (const one of open) await one.drop();
});

const team = async ({ pool }: TestDatabase, slug: string): Promise<number> =>
  (
    await pool.query<{ id: number }>(
      `insert into teams (public_id, slug, name, wallet_address) values ('wks_' || $1, $1, $1, '0x') returning id`,
      [slug],
    )
  ).rows[0]!.id;

const entry = (team_id: number | null, n: number, more: Partial<AuditRow> = {}): AuditRow => ({
  actor_kind: 'user',
  action: 'thing.change',
  target_kind: 'thing',
  target_id: String(n),
  team_id,
  after: { n, text: 'Zoë \u2028 "quoted" 🚤', deep: [null, 1.5, { a: null }] },
  ...more,
});

async function verify({ db }: TestDatabase, anchors?: Map<string, Anchor>): Promise<ChainReport[]> {
  const reports: ChainReport[] = [];
  for await (const report of verifyChains(db, anchors)) reports.push(report);
  return reports;
}

describe('the chain', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await fresh();
  });

  it('has no gap and no fork when 50 writers append for one team concurrently', async () => {
    const one = await team(database, 'one');
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        withTransaction(database.db, (trx) => appendAudit(trx, [entry(one, n)])),
      ),
    );
    expect(await verify(database)).toMatchObject([
      { name: 'wks_one', slug: 'one', entries: 50, broken: null },
    ]);
  });

  it('lets writers of several teams run concurrently without a deadlock', async () => {
    const teams = [await team(database, 'a'), await team(database, 'b'), await team(database, 'c')];
    const before = await deadlocks(database);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database.db.transaction().execute((trx) =>
          // Each in a different order, interleaved with the platform's.
          appendAudit(
            trx,
            [...teams, null].map((_team, i, all) => entry(all[(i + n) % all.length] ?? null, n)),
          ),
        ),
      ),
    );
    const reports = await verify(database);
    expect(reports.find(({ name }) => name === 'platform')).toMatchObject({ entries: 40, broken: null });
    for (const slug of ['a', 'b', 'c'])
      expect(reports.find((report) => report.slug === slug)).toMatchObject({ entries: 40, broken: null });
    expect(await deadlocks(database)).toBe(before);
  });

  it('does not block on a transaction that locks the team for a change', async () => {
    const id = await team(database, 'held');
    const before = await deadlocks(database);
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        database.db.transaction().execute(async (trx) => {
          if (n % 2 === 0)
            await trx.selectFrom('teams').select('id').where('id', '=', id).forUpdate().execute();
          await appendAudit(trx, [entry(id, n)]);
        }),
      ),
    );
    expect(await deadlocks(database)).toBe(before);
    expect((await verify(database)).find(({ slug }) => slug === 'held')).toMatchObject({ entries: 20 });
  });

  it('leaves no gap where a transaction was rolled back', async () => {
    const id = await team(database, 'undone');
    await appendAudit(database.db, [entry(id, 1)]);
    await withTransaction(database.db, async (trx) => {
      await appendAudit(trx, [entry(id, 2)]);
      throw new Error('undo');
    }).catch(() => undefined);
    await appendAudit(database.db, [entry(id, 3)]);
    expect((await verify(database)).find(({ slug }) => slug === 'undone')).toMatchObject({
      entries: 2,
      broken: null,
    });
  });

  it('computes the same hashes regardless of session settings', async () => {
    const client = await database.pool.connect();
    try {
      await client.query(
        `set timezone = 'Asia/Kathmandu'; set datestyle = 'German, DMY'; set bytea_output = 'escape'; set lc_messages = 'C'; set intervalstyle = 'sql_standard'; set extra_float_digits = -15`,
      );
      const id = await team(database, 'settings');
      await client.query(
        `insert into audit_log (actor_kind, action, team_id, after) values ('system', 'x', $1, '{"t": 1.10, "f": 0.1234567890123456789}')`,
        [id],
      );
    } finally {
      client.release(true);
    }
    expect((await verify(database)).every(({ broken }) => broken === null)).toBe(true);
  });

  it.each([
    `update audit_log set action = 'nothing'`,
    'delete from audit_log',
    'truncate audit_log',
    'update audit_heads set seq = 1',
    'delete from audit_heads',
    'truncate audit_heads',
  ])('refuses `%s`', async (statement) => {
    await expect(database.pool.query(statement)).rejects.toThrow(/audit log is only added to/);
  });

  it('masks secrets an operation failed to mask', async () => {
    const id = await team(database, 'secrets');
    await appendAudit(database.db, [
      entry(id, 1, {
        before: { password: 'hunter2 hunter2', credential: null, list: [{ client_secret: 'shh' }] },
        after: { note: 'see https://x.test/reset-password/thk_lnk_0123456789abcdef', has_secret: true },
      }),
    ]);
    const { rows } = await database.pool.query<{ before: unknown; after: unknown }>(
      'select before, after from audit_log where team_id = $1',
      [id],
    );
    expect(rows[0]).toEqual({
      before: { password: '•••', credential: null, list: [{ client_secret: '•••' }] },
      after: { note: 'see https://x.test/reset-password/thk_lnk_[redacted]', has_secret: true },
    });
  });
});

async function deadlocks({ db }: TestDatabase): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ n: number }>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(db);
  return rows[0]?.n ?? 0;
}

describe('a writer who bypasses the triggers', () => {
  let database: TestDatabase;
  let id: number;
  beforeEach(async () => {
    database = await fresh();
    id = await team(database, 'acme');
    await database.pool.query(
      `insert into users (public_id, email, username) values ('usr_1', 'a@x.test', 'ann'), ('usr_2', 'b@x.test', 'ben')`,
    );
    const { rows } = await database.pool.query<{ id: number }>('select id from users order by id');
    for (let n = 1; n <= 6; n++)
      await appendAudit(database.db, [entry(id, n, { actor_user_id: rows[0]?.id ?? null })]);
    await appendAudit(database.db, [entry(null, 7)]);
  });

  const tamper = (statements: string) =>
    database.pool.query(
      `set session_replication_role = replica; ${statements}; reset session_replication_role`,
    );
  const broken = async (anchors?: Map<string, Anchor>) =>
    (await verify(database, anchors)).find(({ name }) => name === 'wks_acme')?.broken;
  const where = (seq: number) => `chain = (select id from teams where slug = 'acme') and seq = ${seq}`;

  it.each([
    ['changes what was done', `update audit_log set after = '{}' where ${where(3)}`, 3, 'changed'],
    [
      'changes the time',
      `update audit_log set at = at - interval '1 microsecond' where ${where(2)}`,
      2,
      'changed',
    ],
    ['changes a name', `update audit_log set actor_label = 'ben' where ${where(4)}`, 4, 'changed'],
    [
      'attributes it to another user',
      `update audit_log set actor_user_id = (select id from users where username = 'ben') where ${where(4)}`,
      4,
      'changed',
    ],
    [
      'changes one and its hash',
      `update audit_log set action = 'nothing' where ${where(3)};
       update audit_log set hash = audit_hash(prev_hash, audit_record(audit_log)) where ${where(3)}`,
      4,
      'changed',
    ],
    ['removes one', `delete from audit_log where ${where(2)}`, 2, 'missing'],
    ['removes the first', `delete from audit_log where ${where(1)}`, 1, 'missing'],
    [
      'removes one and closes the gap',
      `delete from audit_log where ${where(2)};
       update audit_log set seq = seq - 1 where chain = (select id from teams where slug = 'acme') and seq > 2`,
      2,
      'changed',
    ],
    [
      'swaps two',
      `update audit_log set seq = 99 where ${where(3)}; update audit_log set seq = 3 where ${where(4)};
       update audit_log set seq = 4 where ${where(99)}`,
      3,
      'reordered',
    ],
    [
      'truncates the end',
      `delete from audit_log where ${where(5)}; delete from audit_log where ${where(6)}`,
      5,
      'truncated',
    ],
    ['moves the head back', `update audit_heads set seq = 4`, 5, 'changed'],
    ['removes the head', `delete from audit_heads`, 6, 'changed'],
    ['removes the whole chain', `delete from audit_log; delete from audit_heads`, 1, 'missing'],
    [
      'moves it to another team',
      `update audit_log set team_id = null, seq = 2 where ${where(6)}`,
      6,
      'truncated',
    ],
  ])('and %s is detected', async (_what, statements, seq, kind) => {
    expect(await broken()).toBe(null);
    await tamper(statements);
    expect(await broken()).toMatchObject({ seq, kind });
  });

  it('and rewrites a whole chain is detected with the output of an earlier run', async () => {
    const anchors = new Map(
      (await verify(database)).map(({ name, entries, hash }) => [name, { seq: entries, hash }]),
    );
    await appendAudit(database.db, [entry(id, 8)]);
    expect(await broken(anchors)).toBe(null);
    await tamper(`
      create temp table kept as select * from audit_log where team_id is not null order by seq;
      delete from audit_log; delete from audit_heads;
      set session_replication_role = origin;
      insert into audit_log (at, actor_kind, actor_user_id, team_id, action, target_kind, target_id)
        select at, actor_kind, actor_user_id, team_id, 'nothing', target_kind, target_id from kept order by seq;
      drop table kept`);
    expect(await broken()).toBe(null);
    expect(await broken(anchors)).toMatchObject({ seq: 6, kind: 'changed' });
  });
});

it('hashes entries from before there were chains', async () => {
  const database = await fresh();
  await database.pool.query('drop schema public cascade; create schema public');
  const upTo = (last: string) =>
    Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last));
  await migrate(database.connection, upTo('0004_outbox'));
  const one = await team(database, 'one');
  const two = await team(database, 'two');
  await database.pool.query(
    `insert into users (public_id, email, username) values ('usr_1', 'a@x.test', 'ann');
     insert into audit_log (actor_kind, actor_user_id, team_id, action, after)
       select 'user', (select id from users), case n % 3 when 0 then null when 1 then ${one} else ${two} end,
         'thing.change', jsonb_build_object('n', n) from generate_series(1, 3000) n`,
  );
  await migrate(database.connection, migrations);
  await appendAudit(database.db, [entry(one, 1), entry(null, 1)]);
  expect(await verify(database)).toMatchObject([
    { name: 'platform', entries: 1001, broken: null },
    { name: 'wks_one', entries: 1001, broken: null },
    { name: 'wks_two', entries: 1000, broken: null },
  ]);
  const { rows } = await database.pool.query(
    `select actor_id, actor_label from audit_log where team_id = ${one} limit 1`,
  );
  expect(rows).toEqual([{ actor_id: 'usr_1', actor_label: 'ann' }]);
});
