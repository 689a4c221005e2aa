import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEventBus } from '../../db/core/eventBus';
import { withTransaction } from '../../db/core/client';
import { hostShardLeases } from '../../db/hosts/hostShards';
import { HOST_SHARDS, shardOf } from '../../domain/hosts/shards';
import { createLogger } from '../../log';
import { insertApp, insertCvm, insertHost, insertOperation } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { insertTeam } from '../../testing/teamFixtures';
import { eventually } from '../../testing/server';
import { createJobs } from './queue';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const WORKERS = ['one', 'two', 'three'];

it('wakes the worker that holds the host, and all workers if none does or that one is full', async () => {
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
    const wake = async (mail: number) => {
      woken.length = 0;
      await withTransaction(db, async (trx) => {
        await jobs!.enqueueOperation(trx, correlation_id);
        // Notices arrive in order, so a worker that has read this one has read all before it.
        await jobs!.enqueueMail(trx, mail);
      });
      await eventually('every worker has read its notices', async () => haveAllRead(mail));
      return woken.filter((one) => !one.includes('mail')).sort();
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
    const byAll = ['two', ...WORKERS].map((worker) => `${worker} ${correlation_id}`).sort();
    await eventually('it has woken all workers', async () => {
      const operations = woken.filter((one) => !one.includes('mail')).sort();
      return operations.join() === byAll.join();
    });
    full = null;
    await db
      .updateTable('host_shards')
      .set({ lease_until: new Date(Date.now() - 1_000) })
      .where('shard', '=', shard)
      .execute();
    expect(await wake(5), 'its lease has expired').toHaveLength(WORKERS.length);
  } finally {
    await Promise.all(buses.map((bus) => bus.stop()));
  }
});
