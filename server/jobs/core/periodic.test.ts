import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { createInstallationLeases, type InstallationLeases } from './installationLeases';
import { MORE, startPeriodic, type PeriodicRun, type PeriodicTask, type RunningPeriodic } from './periodic';

const silent = pino({ level: 'silent' });
const started: RunningPeriodic[] = [];
const start = (
  tasks: readonly PeriodicTask[],
  options: { leases?: InstallationLeases; ran?: (run: PeriodicRun) => void; log?: typeof silent } = {},
) => {
  const running = startPeriodic({ tasks, log: silent, ...options });
  started.push(running);
  return running;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop()));
});

/** Resolves after `count` calls of `hit`. */
function counter(count: number) {
  let hits = 0;
  const { promise, resolve } = deferred();
  return { reached: promise, hit: () => ++hits === count && resolve() };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
}

const task = (id: string, run: () => Promise<unknown>, scope: PeriodicTask['scope'] = 'process') => ({
  id,
  name: `Task ${id}`,
  period_ms: 5,
  scope,
  run,
});

describe('a periodic task', () => {
  it('never overlaps with itself while other tasks continue', async () => {
    const other = counter(5);
    const again = counter(2);
    const gate = deferred();
    let inFlight = 0;
    let most = 0;
    start([
      task('slow', async () => {
        most = Math.max(most, ++inFlight);
        await gate.promise;
        inFlight -= 1;
        again.hit();
      }),
      task('other', async () => other.hit()),
    ]);
    await other.reached;
    expect(most).toBe(1);
    gate.resolve();
    await again.reached;
    expect(most).toBe(1);
  });

  it('continues without waiting for its period while work is left', async () => {
    const done = counter(3);
    let left = 2;
    const backlog = task('backlog', async () => {
      done.hit();
      return left-- > 0 ? MORE : undefined;
    });
    start([{ ...backlog, period_ms: 3_600_000 }]);
    await done.reached;
    expect(left).toBe(-1);
  });

  it('waits no negative time, which Node.js warns about, after taking almost its period', async () => {
    const delays: (number | undefined)[] = [];
    const { setTimeout: real } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      delays.push(ms);
      return real(run, ms);
    }) as typeof setTimeout);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 4.9));
    try {
      const again = counter(3);
      start([task('busy', async () => again.hit())]);
      await again.reached;
    } finally {
      vi.restoreAllMocks();
    }
    expect(delays.length).toBeGreaterThan(1);
    expect(delays.filter((ms) => ms !== undefined && ms < 0)).toEqual([]);
  });

  it('logs a failed run by name, runs it again, and stops no other task', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const failing = counter(3);
    const other = counter(3);
    const runs: PeriodicRun[] = [];
    start(
      [
        task('broken', async () => {
          failing.hit();
          throw new Error('no such table');
        }),
        task('other', async () => other.hit()),
      ],
      { log, ran: (run) => runs.push(run) },
    );
    await Promise.all([failing.reached, other.reached]);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      task: 'broken',
      err: { message: 'no such table' },
    });
    expect(runs).toContainEqual({
      id: 'broken',
      name: 'Task broken',
      every_ms: 5,
      scope: 'process',
      duration_ms: expect.any(Number),
      error: 'no such table',
    });
    expect(runs).toContainEqual({
      id: 'other',
      name: 'Task other',
      every_ms: 5,
      scope: 'process',
      duration_ms: expect.any(Number),
      error: null,
    });
  });

  it('delays a drain until it finishes, and does not start again', async () => {
    const begun = counter(1);
    const gate = deferred();
    let runs = 0;
    let finished = 0;
    const running = start([
      task('long', async () => {
        runs += 1;
        begun.hit();
        await gate.promise;
        finished += 1;
      }),
    ]);
    await begun.reached;
    let stopped = false;
    const stop = running.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect(stopped).toBe(false);
    gate.resolve();
    await stop;
    expect({ runs, finished }).toEqual({ runs: 1, finished: 1 });
  });
});

describe('an installation task', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const leasesOf = (owner: string, dead: readonly string[] = []) =>
    createInstallationLeases({
      db: database.db,
      owner,
      names: ['reconcile'],
      isDead: (holder) => dead.includes(holder),
    });

  it('runs in one process, and in the other once the first has stopped', async () => {
    const by: string[] = [];
    const first = counter(3);
    const second = counter(1);
    // A refresh on demand instead of waiting for the next one.
    const one = leasesOf('one');
    const two = leasesOf('two');
    await one.refresh();
    const running = start([task('reconcile', async () => (by.push('one'), first.hit()), 'installation')], {
      leases: one,
    });
    start([task('reconcile', async () => (by.push('two'), second.hit()), 'installation')], { leases: two });
    await two.refresh();
    await first.reached;
    expect(new Set(by)).toEqual(new Set(['one']));
    await running.stop();
    const before = by.length;
    await two.refresh();
    await second.reached;
    expect(new Set(by.slice(before))).toEqual(new Set(['two']));
  });

  it('keeps its lease when the process stops during its run, so that no other process runs it too', async () => {
    const begun = counter(1);
    const gate = deferred();
    const one = leasesOf('slow');
    const running = startPeriodic({
      tasks: [task('reconcile', async () => (begun.hit(), gate.promise), 'installation')],
      leases: one,
      log: silent,
      grace_ms: 1,
    });
    await begun.reached;
    await running.stop();
    const two = leasesOf('impatient');
    await two.refresh();
    expect(two.holds('reconcile')).toBe(false);
    gate.resolve();
    await one.release();
  });

  it('never runs in two processes, wherever their clocks are or are set to', async () => {
    let wall = Date.now();
    let monotonic = performance.now();
    vi.spyOn(Date, 'now').mockImplementation(() => wall);
    vi.spyOn(performance, 'now').mockImplementation(() => monotonic);
    try {
      const one = leasesOf('behind');
      await one.refresh();
      expect(one.holds('reconcile')).toBe(true);
      wall += 60_000;
      const two = leasesOf('ahead');
      await two.refresh();
      expect(two.holds('reconcile'), 'by its own clock, the lease would have expired').toBe(false);
      await one.refresh();
      expect(one.holds('reconcile')).toBe(true);
      // 13 of the lease's 15 seconds pass, while the clock is set back.
      wall -= 60_000;
      monotonic += 13_000;
      expect(one.holds('reconcile')).toBe(false);
      await one.refresh();
      expect(one.holds('reconcile')).toBe(true);
      // The machine sleeps, during which only one of its clocks continues.
      wall += 13_000;
      expect(one.holds('reconcile')).toBe(false);
      await one.release();
      await two.refresh();
      expect(two.holds('reconcile')).toBe(true);
      await two.release();
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('is taken over from a dead process without waiting for its lease to expire', async () => {
    const dead = leasesOf('killed');
    await dead.refresh();
    expect(dead.holds('reconcile')).toBe(true);
    const stranger = leasesOf('stranger');
    await stranger.refresh();
    expect(stranger.holds('reconcile')).toBe(false);
    const next = leasesOf('next', ['killed']);
    await next.refresh();
    expect(next.holds('reconcile')).toBe(true);
    await dead.refresh();
    expect(dead.holds('reconcile'), 'it acquires the lease at its next refresh').toBe(false);
    await next.release();
  });
});
