import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createDb, createPool } from '../../db/core/client';
import { HOST_LEASE_SECONDS } from '../../db/hosts/hostShards';
import { HOST_SHARDS, shardOf } from '../../domain/hosts/shards';
import { startFleet } from '../../operations/hosts/testing/fleet';
import { eventually } from '../../testing/server';
import { hostRounds } from './hostRounds';
import { HOST_REFRESH_MS } from './hostShards';
import {
  connection,
  db,
  division,
  EACH_ONCE,
  expire,
  hostWorker,
  insertHosts,
  prepareHostWorkers,
  settle,
  type TestWorker,
} from './testing/hostWorkers';

prepareHostWorkers();

/** Lets every worker visit its hosts once. Returns which workers queried each host. */
async function asked(...workers: readonly TestWorker[]): Promise<Map<number, string[]>> {
  const by = new Map<number, string[]>();
  const rules = {
    task: 'test',
    which: sql<boolean>`true`,
    max_concurrent: 8,
    limit_ms: 1_000,
    patience_ms: 60_000,
    failure: 'failed',
    now: () => 0,
  };
  for (const { id, work } of workers)
    await hostRounds(
      work,
      rules,
      async (teepod) => void by.set(teepod.id, [...(by.get(teepod.id) ?? []), id]),
    )();
  return by;
}

describe('hosts', () => {
  it('are divided among two and three workers, so that one of them queries each host', async () => {
    const ids = await insertHosts(150, (n) => `http://127.0.0.1:9/${n}`);
    const workers = ['one', 'two', 'three'].map((id) => hostWorker(id));
    for (const count of [1, 2, 3]) {
      const active = workers.slice(0, count);
      await settle(...active);
      const by = await asked(...active);
      expect([...by.keys()].sort((a, b) => a - b)).toEqual(ids);
      expect([...by.values()].filter(({ length }) => length !== 1)).toEqual([]);
      for (const { id } of active) {
        const share = [...by.values()].filter(([owner]) => owner === id).length;
        expect(share, `hosts of ${id}`).toBeGreaterThan((0.8 * ids.length) / count);
      }
    }
  });

  it('never belong to two workers while a fourth one joins and leaves', async () => {
    const three = ['one', 'two', 'three'].map((id) => hostWorker(id));
    await settle(...three);
    const fourth = hostWorker('four');
    const all = [...three, fourth];
    for (let times = 0; times < 3; times++)
      for (const { hosts } of all) {
        await hosts.refresh();
        const { times: owners } = await division(...all);
        expect(Math.max(...owners)).toBe(1);
      }
    const joined = await division(...all);
    expect(joined.times).toEqual(EACH_ONCE);
    expect(joined.owned.map(({ length }) => length)).toEqual([16, 16, 16, 16]);
    await fourth.hosts.stop();
    await db().deleteFrom('workers').where('id', '=', 'four').execute();
    await settle(...three);
    expect((await division(...three)).times).toEqual(EACH_ONCE);
    expect(await fourth.hosts.own()).toEqual([]);
  });

  it('are shared by workers that start together', async () => {
    const workers = ['one', 'two', 'three', 'four', 'five'].map((id) => hostWorker(id));
    const sizes = async () => {
      await Promise.all(workers.map(({ hosts }) => hosts.refresh()));
      const { owned, times } = await division(...workers);
      expect(Math.max(...times)).toBe(1);
      return owned.map(({ length }) => length).sort((a, b) => a - b);
    };
    // All shards together.
    const even = [12, 13, 13, 13, 13];
    // The number of refreshes depends on the workers that the first one finds.
    let shares = await sizes();
    for (let round = 1; round < 10 && String(shares) !== String(even); round++) shares = await sizes();
    expect(shares).toEqual(even);
  });

  it('all belong to a lone worker as soon as it takes them', async () => {
    const one = hostWorker('one');
    expect(await one.hosts.own()).toHaveLength(HOST_SHARDS);
  });

  it('are not left to processes that take none, such as web processes and older versions', async () => {
    await db()
      .insertInto('workers')
      .values([
        { id: 'web', hostname: 'a', pid: 1, role: 'web', version: 'test', hosts_until: null },
        { id: 'older', hostname: 'a', pid: 2, role: 'all', version: 'older', hosts_until: null },
      ])
      .execute();
    const one = hostWorker('one');
    expect(await one.hosts.own()).toHaveLength(HOST_SHARDS);
  });

  it('belong to the only worker of a server, which the list of processes shows', async () => {
    const fleet = await startFleet({ RECONCILE_SECONDS: '3600' });
    try {
      await eventually('the worker has every host', async () => {
        const { body } = await fleet.admin.call('listAdminWorkers');
        return body.some(({ shards, teepods }) => shards === HOST_SHARDS && teepods === fleet.hosts.length);
      });
      const text = await (await fetch(`${fleet.server.address}/metrics`)).text();
      expect(text).toContain(`teehouse_host_shards{state="held"} ${HOST_SHARDS}`);
    } finally {
      await fleet.close();
    }
  });
});

describe('a killed worker', () => {
  it("is replaced within 15 seconds, by the lease and another worker's next refresh", () => {
    // Periodic tasks may run up to a tenth of their period late.
    expect(HOST_LEASE_SECONDS * 1_000 + 1.1 * HOST_REFRESH_MS).toBeLessThan(15_000);
  });

  it('is replaced once its leases have expired', async () => {
    const [killed, other] = [hostWorker('killed'), hostWorker('other')];
    await settle(killed, other);
    await other.hosts.refresh();
    expect(await other.hosts.own()).toHaveLength(HOST_SHARDS / 2);
    await expire(killed);
    await other.hosts.refresh();
    expect(await other.hosts.own()).toHaveLength(HOST_SHARDS);
  });

  it('is replaced immediately by a process on the same machine', async () => {
    const killed = hostWorker('killed');
    await settle(killed);
    const next = hostWorker('next', { dead: ['killed'] });
    expect(await next.hosts.own()).toHaveLength(HOST_SHARDS);
  });
});

describe('a worker that cannot renew its leases', () => {
  it('stops before they expire when it was paused, and then takes only free ones', async () => {
    const paused = hostWorker('paused');
    const held = await paused.hosts.own();
    let release = (): void => undefined;
    const steps: string[] = [];
    const visit = paused.hosts.visit(1, async (tenure) => {
      await new Promise<void>((resolve) => (release = resolve));
      steps.push(tenure.signal.aborted ? 'aborted' : 'not aborted');
      tenure.check();
      steps.push('written');
    });
    // The lease lasts 10 seconds. A paused process runs no timers.
    paused.clock.ms += 7_500;
    expect(await paused.hosts.own()).toEqual([]);
    await paused.hosts.visit(1, async () => void steps.push('begun'));
    release();
    await visit;
    expect(steps).toEqual(['not aborted']);
    await paused.hosts.refresh();
    expect(await paused.hosts.own(), 'nobody took them').toEqual(held);

    await expire(paused);
    const other = hostWorker('other');
    await other.hosts.refresh();
    await paused.hosts.refresh();
    expect((await division(paused, other)).times).toEqual(EACH_ONCE);
  });

  it('aborts what it started before the pause, even if it can renew them afterward', async () => {
    const paused = hostWorker('paused');
    await paused.hosts.own();
    let signal: AbortSignal | undefined;
    let finish = (): void => undefined;
    const visit = paused.hosts.visit(1, async (tenure) => {
      signal = tenure.signal;
      await new Promise<void>((resolve) => (finish = resolve));
    });
    paused.clock.ms += 60_000;
    await paused.hosts.refresh();
    expect(signal?.aborted).toBe(true);
    finish();
    await visit;
  });

  it('stops while the database is down', async () => {
    const pool = createPool(connection(), { applicationName: 'away', size: 1 });
    const away = hostWorker('away', { db: createDb(pool) });
    expect(await away.hosts.own()).toHaveLength(HOST_SHARDS);
    await pool.end();
    await expect(away.hosts.refresh()).rejects.toThrow();
    expect(await away.hosts.own(), 'its leases are valid').toHaveLength(HOST_SHARDS);
    away.clock.ms += 7_500;
    expect(await away.hosts.own()).toEqual([]);
  });
});

describe('a shard that a worker gives away', () => {
  it('changes hands only once nothing is in progress on its hosts', async () => {
    const one = hostWorker('one');
    await one.hosts.refresh();
    let finish = (): void => undefined;
    let signal: AbortSignal | undefined;
    // A host in the last shard, which the worker gives away first.
    const teepod_id = Array.from({ length: HOST_SHARDS }, (_, n) => n + 1).find(
      (id) => shardOf(id) === HOST_SHARDS - 1,
    )!;
    const visit = one.hosts.visit(teepod_id, async (tenure) => {
      signal = tenure.signal;
      await new Promise<void>((resolve) => (finish = resolve));
    });
    const two = hostWorker('two');
    await settle(two, one, two);
    expect(signal?.aborted, 'it is asked to stop').toBe(true);
    expect(await one.hosts.own(), 'nothing new starts on it').not.toContain(HOST_SHARDS - 1);
    expect(await two.hosts.own()).not.toContain(HOST_SHARDS - 1);
    finish();
    await visit;
    await settle(one, two);
    expect(await two.hosts.own()).toContain(HOST_SHARDS - 1);
    expect((await division(one, two)).times).toEqual(EACH_ONCE);
  });
});
