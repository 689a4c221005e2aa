import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { brokenConstraint, errorCode, withTransaction } from './client';
import { migrate } from './migrate';
import { migrations } from '../migrations';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const adding = (table: string) => ({
  up: async (db: TestDatabase['db']) =>
    void (await sql`create table ${sql.id(table)} (n int8 unique)`.execute(db)),
});

describe('migrate', () => {
  it('knows every migration in the folder', () => {
    const files = readdirSync(new URL('../migrations', import.meta.url), {
      recursive: true,
      encoding: 'utf8',
    })
      .map((path) => basename(path))
      .filter((name) => /^\d+_.*\.ts$/.test(name));
    expect(Object.keys(migrations)).toEqual(files.map((name) => name.replace(/\.ts$/, '')).sort());
  });

  it('runs each migration once, even if many processes start together', async () => {
    const list = { ...migrations, '9001_one': adding('one'), '9002_two': adding('two') };
    const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(database.connection, list)));
    expect(ran.flat()).toEqual(['9001_one', '9002_two']);
    expect(await migrate(database.connection, list)).toEqual([]);
  });

  it('does not wait in a migrated database, even while the lock is held', async () => {
    const list = { ...migrations, '9001_one': adding('one'), '9002_two': adding('two') };
    const holder = await database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('lock table kysely_migration_lock in access exclusive mode');
      expect(await migrate(database.connection, list)).toEqual([]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });

  it('leaves the database unchanged when one fails, and names it', async () => {
    const list = {
      ...migrations,
      '9001_one': adding('one'),
      '9002_two': adding('two'),
      '9003_three': adding('three'),
      '9004_clash': adding('one'),
    };
    await expect(migrate(database.connection, list)).rejects.toThrow(
      /9004_clash failed, the database is unchanged/,
    );
    const { rows } = await database.pool.query(`select to_regclass('three') as three`);
    expect(rows).toEqual([{ three: null }]);
  });

  it("refuses a newer release's database", async () => {
    await expect(migrate(database.connection, migrations)).rejects.toThrow(
      /newer version of Teehouse \(it has 9001_one, 9002_two\)/,
    );
  });
});

describe('0135_host_address_keys', () => {
  it('gives stored addresses the keys of new ones, and the oldest of two spellings its key', async () => {
    const { rows: nodes } = await database.pool.query<{ id: number }>(
      "insert into nodes (name) values ('keys') returning id",
    );
    const insert = async (name: string, url: string, key: string | null) => {
      const { rows } = await database.pool.query<{ id: number }>(
        `insert into teepods (node_id, name, url, address_key, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
          values ($1, $2, $3, $4, 1, 1, 1, 1) returning id`,
        [nodes[0]!.id, name, url, key],
      );
      return rows[0]!.id;
    };
    const ids = [
      await insert('any', 'http://0.0.0.0:9080', '0.0.0.0:9080'),
      await insert('here', 'http://127.0.0.1:9080', 'localhost:9080'),
      await insert('socket', 'unix:/var/run/vmm.sock', 'unix:/var/run/vmm.sock'),
      await insert('other', 'https://tee.example.com/a', 'tee.example.com:443/a'),
    ];
    await migrations['0135_host_address_keys']!.up(database.db);
    const { rows } = await database.pool.query(
      'select address_key from teepods where id = any($1) order by id',
      [ids],
    );
    expect(rows.map(({ address_key }) => address_key as string | null)).toEqual([
      'localhost:9080',
      null,
      'unix:/run/vmm.sock',
      'tee.example.com:443/a',
    ]);
  });
});

describe('0028_drop_unused_job_schema', () => {
  const schemas = async () =>
    (await database.pool.query(`select 1 from information_schema.schemata where schema_name = 'jobs'`))
      .rowCount;

  it('drops the schema pg-boss left, and no other schema of that name', async () => {
    const { up } = migrations['0028_drop_unused_job_schema']!;
    await database.pool.query('create schema jobs; create table jobs.version (version int)');
    await up(database.db);
    expect(await schemas()).toBe(1);
    await database.pool.query(
      `alter table jobs.version add cron_on timestamptz;
       create table jobs.queue (name text primary key, retry_limit int);
       create table jobs.job (name text references jobs.queue)`,
    );
    await up(database.db);
    expect(await schemas()).toBe(0);
    await up(database.db);
  });
});

it('leaves the columns that change most often out of every index of CVMs', async () => {
  // An index on one of them, or with one in its condition, makes each such change write all indexes of the row.
  const { rows } = await sql<{ index: string; column: string }>`
    select i.relname as index, a.attname as column from pg_depend d
    join pg_class i on i.oid = d.objid and i.relkind = 'i'
    join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where d.refobjid = 'cvms'::regclass
      and a.attname = any(array['status', 'desired', 'boot_progress', 'observed_at', 'updated_at'])`.execute(
    database.db,
  );
  expect(rows).toEqual([]);
});

describe('withTransaction', () => {
  it('retries what PostgreSQL rejected for a conflict, so no update is lost', async () => {
    await database.pool.query('create table counter (n int8)');
    await database.pool.query('insert into counter values (0)');
    const increment = () =>
      withTransaction(
        database.db,
        async (tx) => {
          const { rows } = await sql<{ n: number }>`select n from counter`.execute(tx);
          await sql`update counter set n = ${rows[0]!.n + 1}`.execute(tx);
        },
        { isolation: 'serializable', attempts: 50 },
      );
    await Promise.all(Array.from({ length: 8 }, increment));
    expect((await database.pool.query('select n from counter')).rows).toEqual([{ n: 8 }]);
  });

  it('passes other errors on immediately, rolled back', async () => {
    let runs = 0;
    const failure = await withTransaction(database.db, async (tx) => {
      runs++;
      await sql`insert into one values (1)`.execute(tx);
      await sql`insert into one values (1)`.execute(tx);
    }).catch((error: unknown) => error);
    expect(runs).toBe(1);
    expect(errorCode(failure)).toBe('23505');
    expect(brokenConstraint(failure)).toBe('one_n_key');
    expect((await database.pool.query('select * from one')).rows).toEqual([]);
  });

  it('joins the transaction it receives', async () => {
    await expect(
      withTransaction(database.db, async (tx) => {
        await withTransaction(tx, async (inner) => sql`insert into one values (2)`.execute(inner));
        throw new Error('undo');
      }),
    ).rejects.toThrow('undo');
    expect((await database.pool.query('select * from one')).rows).toEqual([]);
  });
});
