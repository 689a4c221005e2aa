import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askInNextRound, MAX_RETRY_SECONDS } from '../../db/hosts/hostShards';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { vmName } from '../../domain/cvms/vmName';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { createVmmRegistry } from '../../drivers/vmm/registry';
import { createVmmDriver } from '../../drivers/vmm/rpc';
import type { VmmRegistry } from '../../drivers/vmm';
import { insertApp, insertCvm, insertOperation } from '../../testing/cvmFixtures';
import { eventually } from '../../testing/server';
import { insertTeam } from '../../testing/teamFixtures';
import { reconciler } from '../cvms/reconcile';
import { createScheduleRuns } from '../core/scheduleRuns';
import { hostRounds, type RoundRules } from './hostRounds';
import { gpuSync } from './syncGpus';
import { db, hostWorker, insertHosts, prepareHostWorkers, type TestWorker } from './testing/hostWorkers';

prepareHostWorkers();

let vmm: VmmRegistry;
let fake: FakeVmm;
beforeAll(async () => {
  vmm = createVmmRegistry(createVmmDriver, () => '');
  fake = await startFakeVmm();
});
afterAll(async () => {
  await vmm?.close();
  await fake?.close();
});

const jobs = { enqueueOperation: () => Promise.resolve(), enqueueMail: () => Promise.resolve() };
/** Long enough for any machine: a test's rounds end when their hosts have answered. */
const UNLIMITED = { limit_ms: 600_000, patience_ms: 600_000 };
const reconcile = ({ work }: TestWorker) =>
  reconciler(vmm, jobs, work, { ...UNLIMITED, billingEnforced: false })();
const hostRow = (id: number): Promise<TeepodRow> =>
  db().selectFrom('teepods').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const rules = (worker: TestWorker, change: Partial<RoundRules> = {}): RoundRules => ({
  task: 'reconcile',
  which: sql<boolean>`true`,
  max_concurrent: 8,
  ...UNLIMITED,
  failure: 'failed',
  now: () => worker.clock.ms,
  ...change,
});

describe('a round', () => {
  it('reconciles 1,500 hosts of one worker', { timeout: 900_000 }, async () => {
    const ids = await insertHosts(1500, (n) => fake.at(`many-${n}`));
    const one = hostWorker('one');
    await reconcile(one);
    const { rows } = await sql<{ id: number }>`
      select id from teepods where state <> 'offline' and last_seen_at is not null and reachable order by id`.execute(
      db(),
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(one.cuts).toEqual([]);
    const before = fake.requests.length;
    await gpuSync(vmm, one.work, 600_000)();
    expect(fake.requests.slice(before).filter((path) => path.startsWith('/prpc/ListGpus'))).toHaveLength(
      1500,
    );
  });

  it('queries a bounded number of hosts at a time', async () => {
    await insertHosts(60, (n) => fake.at(`bounded-${n}`));
    const one = hostWorker('one');
    let inFlight = 0;
    let most = 0;
    let total = 0;
    await hostRounds(one.work, rules(one), async () => {
      most = Math.max(most, ++inFlight);
      total += 1;
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
    })();
    expect({ most, total }).toEqual({ most: 8, total: 60 });
  });

  it('ends at its limit, reports it, and the next one continues from there', async () => {
    const ids = await insertHosts(95, (n) => fake.at(`cut-${n}`));
    const one = hostWorker('one');
    const asked: number[] = [];
    // Every host takes a second, and the round may take ten.
    const run = hostRounds(one.work, rules(one, { max_concurrent: 1, limit_ms: 10_000 }), async ({ id }) => {
      asked.push(id);
      one.clock.ms += 1_000;
      await one.hosts.refresh();
    });
    for (let times = 0; times < 9; times++) await run();
    expect(asked).toEqual(ids.slice(0, 90));
    await run();
    expect(asked, 'the first hosts follow the last ones').toEqual([...ids, ...ids.slice(0, 5)]);
    expect(one.cuts.slice(0, 2)).toEqual([
      ['reconcile', 85],
      ['reconcile', 85],
    ]);
    expect(one.lines[0]).toMatchObject({ level: 40, task: 'reconcile', left: 85 });

    const schedules = createScheduleRuns(db(), one.id);
    schedules.cutShort('reconcile', 85);
    schedules.ran({
      id: 'reconcile',
      name: 'Reconciliation',
      every_ms: 1_000,
      scope: 'shard',
      duration_ms: 1,
      error: null,
    });
    await schedules.flush();
    schedules.ran({
      id: 'reconcile',
      name: 'Reconciliation',
      every_ms: 1_000,
      scope: 'shard',
      duration_ms: 1,
      error: null,
    });
    await schedules.flush();
    const row = await db()
      .selectFrom('schedule_runs')
      .select(['runs', 'cut_short', 'left_over'])
      .where('id', '=', 'reconcile')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ runs: 2, cut_short: 1, left_over: 85 });
  });

  it('reports how many VMs of a host it left out, no matter how many the host lists', async () => {
    await insertHosts(1, () => fake.at('crowded'));
    const one = hostWorker('one');
    const vms = Array.from({ length: 250 }, (_, n) => ({
      id: `vm-${n}`,
      name: vmName({ name: 'one', vm_uuid: randomUUID() }),
      status: 'running',
    }));
    fake.on('/prpc/Status', (_request, response) =>
      response.writeHead(200).end(JSON.stringify({ vms, total: 250, port_mapping_enabled: true })),
    );
    await reconcile(one);
    fake.on('/prpc/Status', () => 'pass');
    expect(one.cuts).toEqual([['reconcile', 50]]);
    expect(one.lines).toMatchObject([{ level: 40, left: 50 }]);
  });

  it('writes nothing about a host once another worker may have it', async () => {
    const [id = 0] = await insertHosts(1, () => fake.at('late'));
    const paused = hostWorker('paused');
    let answer = (): void => undefined;
    fake.on('/prpc/Status', (_request, response) => {
      answer = () => response.writeHead(200).end('{"vms":[],"total":0,"port_mapping_enabled":true}');
    });
    const before = await hostRow(id);
    const asked = fake.requests.length;
    const round = reconcile(paused);
    await eventually('the host is asked', async () => fake.requests.length > asked);
    paused.clock.ms += 20_000;
    answer();
    fake.on('/prpc/Status', () => 'pass');
    await round;
    expect(await hostRow(id)).toEqual(before);
    expect(paused.lines).toEqual([]);
  });
});

describe('a host that does not respond', () => {
  const asks = () => fake.requests.filter((path) => path.startsWith('/prpc/Status')).length;
  const silence = () => fake.on('/prpc/Status', (request) => void request.socket.destroy());
  const set = (id: number, change: Partial<Pick<TeepodRow, 'unanswered' | 'retry_at'>>) =>
    db().updateTable('teepods').set(change).where('id', '=', id).execute();
  const databaseTime = async () =>
    (await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db())).rows[0]!.at.getTime();

  it('is queried less and less often, up to a limit, until it responds', async () => {
    const [id = 0] = await insertHosts(1, () => fake.at('silent'));
    const one = hostWorker('one');
    silence();
    for (const [unanswered, seconds] of [
      [0, 1],
      [1, 2],
      [5, 32],
      [30, MAX_RETRY_SECONDS],
    ] as const) {
      await set(id, { unanswered, retry_at: new Date(0) });
      const from = await databaseTime();
      const before = asks();
      await reconcile(one);
      const to = await databaseTime();
      expect(asks()).toBeGreaterThan(before);
      const row = await hostRow(id);
      expect(row).toMatchObject({ reachable: false, unanswered: unanswered + 1 });
      expect(row.retry_at!.getTime()).toBeGreaterThanOrEqual(from + 800 * seconds - 1);
      expect(row.retry_at!.getTime()).toBeLessThanOrEqual(to + 1_200 * seconds + 1);
    }
    const before = asks();
    await reconcile(one);
    expect(asks(), 'it is not time yet').toBe(before);

    fake.on('/prpc/Status', () => 'pass');
    await set(id, { retry_at: new Date(0) });
    await reconcile(one);
    expect(await hostRow(id)).toMatchObject({ reachable: true, unanswered: 0, retry_at: null });
  });

  it('is queried in the next round when an administrator asks or an operation waits for it', async () => {
    const [id = 0] = await insertHosts(1, () => fake.at('asked-for'));
    const one = hostWorker('one');
    silence();
    await reconcile(one);
    const later = new Date(Date.now() + 3_600_000);
    await set(id, { retry_at: later });
    const before = asks();
    await reconcile(one);
    expect(asks()).toBe(before);
    await askInNextRound(db(), id);
    await reconcile(one);
    expect(asks()).toBeGreaterThan(before);

    await set(id, { retry_at: later });
    const teepod = await hostRow(id);
    const kms = await db()
      .selectFrom('kms')
      .selectAll()
      .where('id', '=', teepod.kms_id)
      .executeTakeFirstOrThrow();
    const host = { teepod, kms };
    const team = await insertTeam(db(), 'waiting');
    const app = await insertApp(db(), { team_id: team.id, host, name: 'waiting' });
    await insertOperation(db(), await insertCvm(db(), { ...app, host }));
    const since = asks();
    await reconcile(one);
    expect(asks()).toBeGreaterThan(since);
    fake.on('/prpc/Status', () => 'pass');
  });
});
