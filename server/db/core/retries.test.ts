import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createChainDriver } from '../../drivers/chain/rpc';
import { OperationRun } from '../../jobs/cvms/operationRun';
import { insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam } from '../../testing/teamFixtures';
import { withTransaction, type Tx } from './client';
import { logRetries, retryCounts } from './retries';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('create table pair (id int primary key, n int not null)');
  await database.pool.query('insert into pair values (1, 0), (2, 0)');
});
afterAll(() => database.drop());

const ended: (() => void)[] = [];
afterEach(() => ended.splice(0).forEach((end) => end()));

const add = (trx: Tx, id: number) => sql`update pair set n = n + 1 where id = ${id}`.execute(trx);

/** Resolves for both callers once both have called; later calls pass. */
function meeting(): () => Promise<void> {
  let missing = 2;
  let meet = () => {};
  const met = new Promise<void>((resolve) => (meet = resolve));
  return () => {
    if (--missing === 0) meet();
    return met;
  };
}

/** Collects the lines that retries log from now on. */
function lines(): { level: number; operation: string; sqlstate: string; attempt: number; stack: string }[] {
  const written: ReturnType<typeof lines> = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void written.push(JSON.parse(line)) });
  ended.push(logRetries(log));
  return written;
}

describe('retries', () => {
  it('count a deadlock between two transactions, which both succeed', async () => {
    const before = retryCounts().get('40P01')!;
    const met = meeting();
    const both = (first: number, second: number) =>
      withTransaction(database.db, async (trx) => {
        await add(trx, first);
        await met();
        await add(trx, second);
      });
    await Promise.all([both(1, 2), both(2, 1)]);
    expect(retryCounts().get('40P01')).toBeGreaterThan(before);
    expect((await database.pool.query('select n from pair')).rows).toEqual([{ n: 2 }, { n: 2 }]);
  });

  it('warn with the operation and the code that ran it once the second attempt has failed', async () => {
    const written = lines();
    const before = retryCounts().get('40001')!;
    let attempts = 0;
    const createCvm = async () => {
      await withTransaction(
        database.db,
        async (trx) => {
          if (++attempts <= 2)
            await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(trx);
        },
        { operation: 'createCvm' },
      );
    };
    await createCvm();
    expect(written).toMatchObject([
      { level: pino.levels.values.info, attempt: 1 },
      { level: pino.levels.values.warn, attempt: 2, sqlstate: '40001', operation: 'createCvm' },
    ]);
    expect(written[1]?.stack).toMatch(/at (async )?createCvm /);
    expect(retryCounts().get('40001')).toBe(before + 2);
  });

  it('name the type of a CVM operation, whatever it writes', async () => {
    const { db } = database;
    const host = await insertHost(db);
    const { id: team_id } = await insertTeam(db, 'retrying');
    const cvm = await insertCvm(db, { ...(await insertApp(db, { team_id, host, name: 'retried' })), host });
    const operation = await insertOperation(db, cvm, { type: 'restart' });
    // Every write fails once.
    await database.pool.query(`
      create sequence conflicts;
      create function conflict() returns trigger language plpgsql as $$ begin
        if nextval('conflicts') % 2 = 1 then raise exception 'conflict' using errcode = '40001'; end if;
        return new;
      end $$;
      create trigger conflict before update on cvms for each row execute function conflict();
      create trigger conflict before update of payload on operations for each row execute function conflict()`);
    const written = lines();
    const run = new OperationRun({
      db,
      chain: createChainDriver([]),
      driver: () => {
        throw new Error('No host is needed.');
      },
      teepod: host.teepod,
      cvm,
      operation,
      owner: 'test',
      claimed_at: performance.now(),
      signal: new AbortController().signal,
      log: pino({ level: 'silent' }),
    });
    try {
      await run.patchPayload({ started_vm: true });
      await run.patchCvm({ boot_progress: 'done' });
      await run.finish('succeeded', { status: 'running' });
    } finally {
      run.close();
    }
    expect(written.map(({ operation: name }) => name)).toEqual(['restart', 'restart', 'restart']);
  });

  it('are not counted for errors that end a transaction', async () => {
    const written = lines();
    const before = [...retryCounts()];
    await expect(
      withTransaction(database.db, async (trx) => {
        await sql`insert into pair values (1, 0)`.execute(trx);
      }),
    ).rejects.toThrow('pair_pkey');
    expect([...retryCounts()]).toEqual(before);
    expect(written).toEqual([]);
  });
});
