import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEventBus, type JobNotice } from '../../db/core/eventBus';
import { withTransaction, type Tx } from '../../db/core/client';
import { hostShardLeases } from '../../db/hosts/hostShards';
import { HOST_SHARDS, shardOf } from '../../domain/hosts/shards';
import { createLogger } from '../../log';
import { insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam } from '../../testing/teamFixtures';
import { eventually } from '../../testing/server';
import { machineName } from './workerId';
import { createJobs } from './queue';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const WORKERS = ['one', 'two', 'three'];

it('wakes the worker that holds the host, all workers if none does, and the others if that one is full', async () => {
  const { db, connection } = database;
  const log = createLogger('silent');
  const buses = WORKERS.map(() => createEventBus(connection, log));
  const woken: string[] = [];
  let full: string | null = null;
  const [jobs] = buses.map((events, n) => {
    const worker = WORKERS[n]!;
    const runner = createJobs({ db, events, log });
    runner.work(worker, {
      operation(id) {
        woken.push(`${worker} ${id}`);
        return worker !== full;
      },
      mail: async (id) => void woken.push(`${worker} mail ${id}`),
    });
    return runner;
  });
  try {
    const host = await insertHost(db);
    const { id: team_id } = await insertTeam(db, 'queue');
    const cvm = await insertCvm(db, { ...(await insertApp(db, { team_id, host, name: 'queue' })), host });
    const { correlation_id } = await insertOperation(db, cvm);
    const haveAllRead = (mail: number) => WORKERS.every((worker) => woken.includes(`${worker} mail ${mail}`));
    const operationsOf = (lines: readonly string[]) => lines.filter((one) => !one.includes('mail')).sort();
    // Notices arrive in order, so a worker that has read this one has read all before it.
    const wakeMail = async (mail: number, before?: (trx: Tx) => Promise<void>) => {
      await withTransaction(db, async (trx) => {
        await before?.(trx);
        await jobs!.enqueueMail(trx, mail);
      });
      await eventually('every worker has read its notices', async () => haveAllRead(mail));
    };
    const wake = async (mail: number) => {
      woken.length = 0;
      await wakeMail(mail, (trx) => jobs!.enqueueOperation(trx, correlation_id));
      return operationsOf(woken);
    };
    await eventually('every worker is listening', async () => {
      await withTransaction(db, (trx) => jobs!.enqueueMail(trx, 1));
      return haveAllRead(1);
    });
    expect(await wake(2)).toEqual(WORKERS.map((worker) => `${worker} ${correlation_id}`).sort());
    const shard = shardOf(host.teepod.id);
    await hostShardLeases.claim(db, 'two', HOST_SHARDS);
    expect(await wake(3)).toEqual([`two ${correlation_id}`]);
    full = 'two';
    await wake(4);
    await eventually('it has woken the others', async () => woken.includes(`three ${correlation_id}`));
    await wakeMail(5);
    const onceEach = WORKERS.map((worker) => `${worker} ${correlation_id}`).sort();
    expect(operationsOf(woken)).toEqual(onceEach);
    full = null;
    await db
      .updateTable('host_shards')
      .set({ lease_until: new Date(Date.now() - 1_000) })
      .where('shard', '=', shard)
      .execute();
    expect(await wake(6), 'its lease has expired').toHaveLength(WORKERS.length);
  } finally {
    await Promise.all(buses.map((bus) => bus.stop()));
  }
});

it('stops handling wake-ups, and waits for those in progress', async () => {
  const { db } = database;
  const log = createLogger('silent');
  let deliver: (notice: JobNotice) => void = () => undefined;
  const jobs = createJobs({
    db,
    log,
    events: {
      onJob(listener) {
        deliver = listener;
        return () => (deliver = () => undefined);
      },
    },
  });
  let finish: () => void = () => undefined;
  let isHandled = false;
  const handled: number[] = [];
  jobs.work('one', {
    operation: () => false,
    async mail(id) {
      handled.push(id);
      await new Promise<void>((resolve) => (finish = resolve));
      isHandled = true;
    },
  });
  deliver({ mail: 1 });
  const stopped = jobs.stop().then(() => isHandled);
  deliver({ mail: 2 });
  finish();
  expect(await stopped).toBe(true);
  expect(handled).toEqual([1]);
});

it('the names of two machines differ, even if both have the same host name and hide their boot IDs', () => {
  const named = (machine_id: string) =>
    machineName('teehouse', (file) => (file === '/etc/machine-id' ? machine_id : ''));
  expect(named('a')).not.toBe(named('b'));
  expect(named('a')).toBe(named('a'));
});
