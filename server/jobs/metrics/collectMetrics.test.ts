import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cvmsToMeasure } from '../../db/metrics/metrics';
import { shardOf } from '../../domain/hosts/shards';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { createVmmRegistry } from '../../drivers/vmm/registry';
import { createVmmDriver } from '../../drivers/vmm/rpc';
import type { VmmRegistry } from '../../drivers/vmm';
import { createLogger } from '../../log';
import { insertApp, insertCvm, insertHost, type TestApp, type TestHost } from '../../testing/cvmFixtures';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { eventually } from '../../testing/server';
import { everyHost } from '../hosts/testing/everyHost';
import { createMetricsCollector, type CollectorOptions, type MetricsCollector } from './collectMetrics';

const GB = 2 ** 30;
/** Values are stored with seven digits. */
const closeTo = (value: number) => expect.closeTo(value, -4) as number;
let database: TestDatabase;
let vmm: VmmRegistry;
let team_id: number;
const hosts: FakeVmm[] = [];
const collectors: MetricsCollector[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  vmm = createVmmRegistry(createVmmDriver, () => '');
  const team = await database.db
    .insertInto('teams')
    .values({
      public_id: 'tea_metrics',
      slug: 'metrics',
      name: 'Metrics',
      wallet_address: `0x${'1'.repeat(40)}`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  team_id = team.id;
});
afterEach(async () => {
  await Promise.all(collectors.splice(0).map((one) => one.stop()));
  await Promise.all(hosts.splice(0).map((one) => one.close()));
  await sql`update teepods set state = 'offline'`.execute(database.db);
});
afterAll(async () => {
  await vmm.close();
  await database.drop();
});

/** The responses of a host's guests, which a test may change at any time. */
interface Guest {
  load: number;
  used: number;
  rx: number;
  disk_free: number;
}

async function world(count: number, url?: string) {
  const fake = await startFakeVmm();
  hosts.push(fake);
  const guest: Guest = { load: 150, used: GB, rx: 1000, disk_free: 50 * GB };
  let calls = 0;
  let inFlight = 0;
  let most = 0;
  const later = (answer: () => unknown) => (_: unknown, response: import('node:http').ServerResponse) => {
    most = Math.max(most, (inFlight += 1));
    setTimeout(() => {
      inFlight -= 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer()));
    }, 10);
  };
  fake.on(
    '/guest/SysInfo',
    later(() => {
      calls += 1;
      return {
        num_cpus: 4,
        total_memory: 4 * GB,
        used_memory: guest.used,
        uptime: 5000 + calls,
        loadavg_one: guest.load,
        disks: [{ name: '/dev/vdb', mount_point: '/data', total_size: 100 * GB, free_size: guest.disk_free }],
      };
    }),
  );
  fake.on(
    '/guest/NetworkInfo',
    later(() => ({ interfaces: [{ name: 'eth0', addresses: [], rx_bytes: guest.rx, tx_bytes: 0 }] })),
  );
  const host = await insertHost(database.db, { kind: 'dstack_vmm', url: url ?? fake.url });
  const app = await insertApp(database.db, { team_id, host, name: `app-${host.teepod.name}` });
  const cvms: CvmRow[] = [];
  for (let i = 0; i < count; i += 1) cvms.push(await running(host, app, fake));
  return { fake, host, app, guest, cvms, calls: () => calls, most: () => most };
}

/** Readings of a freshly started guest. */
const IDLE = { num_cpus: 4, total_memory: 4 * GB, used_memory: GB, uptime: 1, loadavg_one: 0, disks: [] };

async function running(host: TestHost, app: TestApp, fake: FakeVmm): Promise<CvmRow> {
  const created = await fetch(`${fake.url}/prpc/CreateVm?json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'one',
      compose_file: '{"manifest_version":2,"name":"a","runner":"docker-compose"}',
      image: 'dstack-0.6.0',
      memory: 4096,
      vcpu: 4,
    }),
  });
  const { id } = (await created.json()) as { id: string };
  return insertCvm(database.db, { host, ...app, change: { host_vm_id: id } });
}

function collector(seconds = 2, owner = 'test-1', given: Partial<CollectorOptions> = {}): MetricsCollector {
  const one = createMetricsCollector({
    db: database.db,
    vmm,
    log: createLogger('fatal'),
    hosts: everyHost,
    cutShort: () => undefined,
    owner,
    seconds,
    ...given,
  });
  collectors.push(one);
  return one;
}

const samplesOf = (cvms: readonly CvmRow[]) =>
  database.db
    .selectFrom('cvm_metric_samples')
    .selectAll()
    .where(
      'cvm_id',
      'in',
      cvms.map(({ id }) => id),
    )
    .orderBy('at')
    .execute();
const roundOf = (host: TestHost) =>
  database.db
    .selectFrom('metric_rounds')
    .selectAll()
    .where('teepod_id', '=', host.teepod.id)
    .executeTakeFirst();
/**
 * Ticks until a round on the host, other than `before`, has started, and no further: the next could be due once
 * it ends.
 */
const round = (by: MetricsCollector, host: TestHost, before?: Date) =>
  eventually('a round', async () => {
    const found = await roundOf(host);
    if (found && found.round_at.getTime() !== before?.getTime()) return found.finished_at ? found : false;
    await by.tick();
    return false;
  });

describe('a round', () => {
  it('measures every running CVM of a host, a few at a time, and no others', async () => {
    const { host, app, cvms, most, calls } = await world(12);
    const stopped = await insertCvm(database.db, { host, ...app, change: { status: 'stopped' } });
    const done = await round(collector(10), host);
    expect(done).toMatchObject({ cvms: 12, answered: 12, owner: 'test-1' });
    expect(calls()).toBe(12);
    // Four guests, two concurrent requests each.
    expect(most()).toBeLessThanOrEqual(8);
    const kept = await samplesOf([...cvms, stopped]);
    expect(kept).toHaveLength(12);
    expect(kept[0]).toMatchObject({
      missing: null,
      load: 1.5,
      cpu: null,
      memory: closeTo(GB),
      disk: closeTo(50 * GB),
      network_in: null,
      containers: 1,
    });
    expect(kept.every(({ at }) => at.getTime() === done.round_at.getTime())).toBe(true);
    const [first] = await cvmsToMeasure(database.db, host.teepod.id);
    expect(first?.state).toMatchObject({
      source: 'guest',
      num_cpus: 4,
      memory_total: 4 * GB,
      disk_name: '/dev/vdb',
    });
  });

  it('computes rates from counters, including one that was reset', async () => {
    const { host, cvms, guest } = await world(1);
    const by = collector();
    const first = await round(by, host);
    guest.rx = 5000;
    const second = await round(by, host, first.round_at);
    guest.rx = 300;
    await round(by, host, second.round_at);
    const state = await database.db
      .selectFrom('cvm_metric_state')
      .select('counters')
      .where('cvm_id', '=', cvms[0]!.id)
      .executeTakeFirstOrThrow();
    expect(state.counters).toEqual({ eth0: [300, 0, 0] });
    // The test's rounds are shorter than a ring slot, so only the last one is stored.
    const last = (await samplesOf(cvms)).at(-1);
    expect(last?.network_in).toBeGreaterThan(0);
    expect(last?.network_in).toBeLessThan(300);
  });

  it('keeps the other values when one guest reports nonsense', async () => {
    const { fake, host, cvms } = await world(3);
    const [liar] = cvms;
    for (const huge of [1e300, -1e300, 1e-300]) {
      const text = `a\0${'x'.repeat(100_000)}`;
      fake.on('/guest/SysInfo', (_request, response, { id }) => {
        const disk = { name: text, mount_point: text, total_size: huge, free_size: -huge };
        const system = {
          num_cpus: huge,
          total_memory: huge,
          used_memory: huge,
          total_swap: huge,
          used_swap: huge,
        };
        const lie = { ...system, uptime: huge, loadavg_one: huge, disks: [disk] };
        response.end(JSON.stringify(id === liar?.host_vm_id ? lie : { ...IDLE, uptime: 5000 }));
      });
      fake.on('/guest/NetworkInfo', (_request, response, { id }) => {
        const counters = { rx_bytes: huge, tx_bytes: huge, rx_errors: huge, tx_errors: huge };
        const lie = { interfaces: [{ name: text, addresses: [], ...counters }] };
        response.end(JSON.stringify(id === liar?.host_vm_id ? lie : { interfaces: [] }));
      });
      const before = await roundOf(host);
      const done = await round(collector(), host, before?.round_at);
      expect(done).toMatchObject({ cvms: 3, answered: 3 });
      const kept = await samplesOf(cvms);
      expect(kept.filter(({ at }) => at.getTime() === done.round_at.getTime())).toHaveLength(3);
    }
  });

  it('is done once, by the faster of two processes', async () => {
    const { host, calls } = await world(6);
    const [one, two] = [collector(20, 'test-1'), collector(20, 'test-2')];
    await eventually('a claim', async () => {
      await Promise.all([one.tick(), two.tick(), one.tick(), two.tick()]);
      return roundOf(host);
    });
    await eventually('the round', async () => (await roundOf(host))?.finished_at);
    await Promise.all([one.tick(), two.tick()]);
    expect(calls()).toBe(6);
  });

  it('records an unresponsive guest when its host responds, and an unresponsive host otherwise', async () => {
    const silent = await world(3);
    const first = silent.cvms[0]!.host_vm_id;
    silent.fake.on('/guest/SysInfo', (_, response, body) => {
      if (body.id !== first) return response.writeHead(200).end(JSON.stringify(IDLE));
      return response.writeHead(400).end(JSON.stringify({ error: 'Failed to connect to guest agent' }));
    });
    await round(collector(), silent.host);
    const kept = await samplesOf(silent.cvms);
    expect(kept.map(({ cvm_id, missing }) => [cvm_id, missing])).toEqual(
      silent.cvms.map(({ id }, i) => [id, i === 0 ? 'guest' : null]),
    );

    const nobody = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => nobody.once('listening', resolve));
    const port = (nobody.address() as AddressInfo).port;
    await closed(nobody);
    const dead = await world(8, `http://127.0.0.1:${port}`);
    const over = await round(collector(), dead.host);
    expect(over).toMatchObject({ cvms: 8, answered: 0 });
    expect((await samplesOf(dead.cvms)).map(({ missing }) => missing)).toEqual(Array(8).fill('host'));
  });

  it('a hanging host delays neither the others nor the next round', async () => {
    const hanging = await world(10);
    hanging.fake.on('/guest/SysInfo', () => undefined);
    const well = await world(2);
    const by = collector(2);
    const done = await round(by, well.host);
    expect(done.answered).toBe(2);
    const over = await round(by, hanging.host);
    expect(over).toMatchObject({ answered: 0, cvms: 10 });
    expect((await samplesOf(hanging.cvms)).every(({ missing }) => missing === 'host')).toBe(true);
  });

  it('leaves the hosts of other workers to them', async () => {
    const [own, other] = [await world(1), await world(1)];
    const shards = [shardOf(own.host.teepod.id)];
    expect(shards).not.toContain(shardOf(other.host.teepod.id));
    const hosts = { ...everyHost, own: () => Promise.resolve(shards) };
    await round(collector(2, 'test-1', { hosts }), own.host);
    expect(other.calls()).toBe(0);
  });

  it('reports how many hosts it had no time for', async () => {
    // Each takes most of a round, and there is room for only one.
    for (let count = 0; count < 3; count++) (await world(1)).fake.on('/guest/SysInfo', () => undefined);
    const cuts: [string, number][] = [];
    const by = collector(2, 'test-1', {
      max_concurrent: 1,
      cutShort: (task, left) => void cuts.push([task, left]),
    });
    await eventually('a round is cut short', async () => {
      await by.tick();
      return cuts.length > 0;
    });
    expect(cuts[0]?.[0]).toBe('metrics');
    expect(cuts[0]?.[1]).toBeGreaterThan(0);
    expect(cuts[0]?.[1]).toBeLessThanOrEqual(3);
  });

  it('records the CVMs of a host that has not responded for a while without asking it', async () => {
    const { host, cvms, calls } = await world(2);
    await database.db
      .updateTable('teepods')
      .set({ reachable: false, unanswered: 5, retry_at: new Date(Date.now() + 3_600_000) })
      .where('id', '=', host.teepod.id)
      .execute();
    expect(await round(collector(), host)).toMatchObject({ cvms: 2, answered: 0 });
    expect(calls()).toBe(0);
    expect((await samplesOf(cvms)).map(({ missing }) => missing)).toEqual(['host', 'host']);
  });

  it('reports a disk that fills up once, and its recovery', async () => {
    const { host, cvms, guest } = await world(1);
    const by = collector();
    let before: Date | undefined;
    for (const free of [50, 10, 9, 4, 4, 40, 40]) {
      guest.disk_free = free * GB;
      before = (await round(by, host, before)).round_at;
    }
    const events = await database.db
      .selectFrom('events')
      .select(['kind', 'severity', 'message', 'team_id'])
      .where('cvm_id', '=', cvms[0]!.id)
      .orderBy('id')
      .execute();
    expect(events.map(({ kind, severity }) => `${kind} ${severity}`)).toEqual([
      'cvm.disk_low warning',
      'cvm.disk_low error',
      'cvm.disk_recovered info',
    ]);
    expect(events[0]).toMatchObject({
      team_id,
      message: 'Disk /dev/vdb is 90% full: 10.0 GB of 100.0 GB left',
    });
  });
});

const closed = (server: Server) => new Promise((resolve) => server.close(resolve));
