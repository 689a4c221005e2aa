import type { Logger } from 'pino';
import { endsWithin } from '../../../console/lib/endsWithin';
import type { InstallationLeases } from './installationLeases';

/**
 * Which processes run a task:
 * - `process`: every worker runs its own.
 * - `installation`: one worker at a time, by a lease.
 * - `shard`: every worker. They share the rows, each leased or locked, and the hosts by shards.
 */
export type PeriodicScope = 'process' | 'installation' | 'shard';

/** Result of a run that reached its limit with more work due: the next run starts without a pause. */
export const MORE = Symbol('more work is due');

export interface PeriodicTask {
  /** Names its lease and its row in the admin area; never changes. */
  id: string;
  /** Shown in the admin area, in alerts and in the log. */
  name: string;
  period_ms: number;
  scope: PeriodicScope;
  /** Resolves to `MORE` only after progress. Otherwise runs would spin. */
  run(): Promise<unknown>;
}

export interface PeriodicRun {
  id: string;
  name: string;
  every_ms: number;
  scope: PeriodicScope;
  duration_ms: number;
  /** Null when it succeeded. */
  error: string | null;
}

interface PeriodicOptions {
  tasks: readonly PeriodicTask[];
  /** Required for tasks with installation scope. */
  leases?: InstallationLeases;
  log: Logger;
  /** Called after every run. */
  ran?: (run: PeriodicRun) => void;
  /** Time for running tasks to end when the process exits, which aborts the others. */
  grace_ms?: number;
}

export interface RunningPeriodic {
  /**
   * Starts nothing more, waits for running tasks, and releases the leases, unless a task is still running: no other
   * process may run it yet.
   */
  stop(): Promise<void>;
}

/** Less than a third of the lease, so that two refreshes may fail. */
const REFRESH_MS = 4_000;
/** How soon a process notices a newly acquired installation task. */
const LOOK_MS = 1_000;
/** Part of the period by which a run may come early or late, so that processes started together drift apart. */
const JITTER = 0.1;
const GRACE_MS = 5_000;

/**
 * Runs each task immediately and then once per period, or sooner while work is left, never twice at a time. A
 * task that throws is logged and runs again.
 */
export function startPeriodic({
  tasks,
  leases,
  log,
  ran = () => undefined,
  grace_ms = GRACE_MS,
}: PeriodicOptions): RunningPeriodic {
  const stopping = new AbortController();
  const timers = new Map<PeriodicTask, NodeJS.Timeout>();
  const running = new Set<Promise<boolean>>();

  /** @returns whether more is due */
  async function run({ id, name, period_ms, scope, run: work }: PeriodicTask): Promise<boolean> {
    const began = performance.now();
    let error: string | null = null;
    let more = false;
    try {
      more = (await work()) === MORE;
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown);
      // The process that takes over repeats what stopping interrupted.
      if (!stopping.signal.aborted) log.error({ err: thrown, task: id }, `${name} failed; retrying`);
    }
    const duration_ms = Math.round(performance.now() - began);
    ran({ id, name, every_ms: period_ms, scope, duration_ms, error });
    return more;
  }

  async function turn(task: PeriodicTask): Promise<void> {
    if (stopping.signal.aborted) return;
    if (task.scope === 'installation' && !leases?.holds(task.id))
      return schedule(task, Math.min(task.period_ms, LOOK_MS));
    const began = performance.now();
    const one = run(task);
    running.add(one);
    const more = await one;
    running.delete(one);
    if (stopping.signal.aborted) return;
    if (more) return schedule(task, 0);
    // A run longer than the period skips the runs it missed.
    const late = (performance.now() - began) % task.period_ms;
    const pause_ms = task.period_ms * (1 + JITTER * (2 * Math.random() - 1)) - late;
    schedule(task, Math.max(0, pause_ms));
  }

  function schedule(task: PeriodicTask, ms: number): void {
    timers.set(
      task,
      setTimeout(() => void turn(task), ms),
    );
  }

  const installation = tasks.filter(({ scope }) => scope === 'installation');
  if (installation.length > 0 && !leases) throw new Error('installation tasks need leases');
  for (const task of tasks) if (task.scope !== 'installation') void turn(task);
  if (leases) {
    const refresh: PeriodicTask = {
      id: 'leases_of_periodic_work',
      name: 'Task leases',
      period_ms: REFRESH_MS,
      scope: 'process',
      run: () => leases.refresh(),
    };
    void turn(refresh).then(() => installation.forEach((task) => void turn(task)));
  }

  return {
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      const ended = await endsWithin(Promise.all(running), grace_ms);
      // Otherwise they expire, like those of a killed process.
      if (ended) await leases?.release();
    },
  };
}
