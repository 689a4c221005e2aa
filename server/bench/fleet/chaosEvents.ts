import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../../console/lib/attestation/testing/random';
import type { Started } from '../serverProcess';
import type { ChaosMessage } from './chaosHosts';
import type { Installation } from './installation';

/** Random faults of the installation. */

/**
 * `silent`: no request is handled or answered. `late`: all are handled when the host recovers. `mute`: all are handled
 * immediately but never answered. `slow`: answers take seconds. `reset`: connections break before the request is
 * handled. `cut`: after it. `refuse`: changes are refused.
 */
const HANGING = ['silent', 'late', 'mute'] as const;
const FAILING = ['slow', 'reset', 'cut', 'refuse'] as const;
export type FaultKind = (typeof HANGING | typeof FAILING)[number];

/** Longer than a worker's lease: 10 s. */
const STOPPED_MS = [12_000, 25_000] as const;
const HANGING_MS = [10_000, 45_000] as const;
const FAILING_MS = [5_000, 20_000] as const;
const PAUSE_MS = [1_500, 6_000] as const;

export interface Chaos {
  /** Occurrences of each event. */
  counts: Map<string, number>;
  /** Processes that exited without being killed. */
  exits: string[];
  /** Resolves when the time is up and everything is restored. */
  ended: Promise<void>;
}

interface Setting {
  installation: Installation;
  hosts: number;
  seed: number;
  /** Milliseconds since 1970. */
  until: number;
  say(line: string): void;
}

export function beginChaos({ installation, hosts, seed, until, say }: Setting): Chaos {
  const { postgres, simulator, workers, startWorker } = installation;
  const random = new Random(seed);
  const between = ([from, to]: readonly [number, number]) => from + random.below(to - from);
  const counts = new Map<string, number>();
  const exits: string[] = [];
  /** Workers currently affected by an event. */
  const busy = new Set<number>();
  const began = Date.now();
  let restarting = false;
  let faults = 0;

  const note = (event: string, detail = '') => {
    counts.set(event, (counts.get(event) ?? 0) + 1);
    say(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${event}${detail}`);
  };

  async function revive(n: number): Promise<void> {
    for (;;) {
      try {
        workers[n] = await startWorker();
        return;
      } catch (error) {
        // Can't run without its database.
        if (!restarting) exits.push(`worker ${n} didn't start: ${String(error)}`);
        await wait(1_000);
      }
    }
  }

  async function onWorker(act: (n: number, worker: Started) => Promise<void>): Promise<void> {
    const n = random.below(workers.length);
    const worker = workers[n];
    if (!worker || busy.has(n) || busy.size > 1) return;
    busy.add(n);
    try {
      await act(n, worker);
    } finally {
      busy.delete(n);
    }
  }

  const kill = () =>
    onWorker(async (n, { pid }) => {
      note('kill -9 of a worker', ` (${n})`);
      process.kill(pid, 'SIGKILL');
      await revive(n);
    });

  const stop = () =>
    onWorker(async (n, { pid }) => {
      const ms = between(STOPPED_MS);
      note('SIGSTOP of a worker', ` (${n}) for ${ms} ms`);
      process.kill(pid, 'SIGSTOP');
      await wait(ms);
      process.kill(pid, 'SIGCONT');
    });

  const restart = async () => {
    if (restarting) return;
    restarting = true;
    const how = random.pick(['fast', 'immediate'] as const);
    note(`restart of PostgreSQL, ${how}`);
    await postgres.restart(how);
    // Work must be able to continue in between.
    await wait(10_000);
    restarting = false;
  };

  async function fault(kind: FaultKind, share: number, ms: number) {
    const chosen = Array.from({ length: hosts }, (_, n) => n).filter(
      () => random.below(1_000) < share * 1_000,
    );
    const id = ++faults;
    note(`hosts ${kind}`, `: ${chosen.length} for ${ms} ms`);
    send(simulator, { fault: id, kind, hosts: chosen });
    await wait(ms);
    send(simulator, { heal: id });
  }
  const hang = () => fault(random.pick(HANGING), 1 / 3, between(HANGING_MS));
  const fail = () => fault(random.pick(FAILING), 1 / 10, between(FAILING_MS));

  async function all(): Promise<void> {
    const events = [kill, kill, kill, stop, stop, restart, hang, hang, fail, fail];
    const running: Promise<void>[] = [];
    while (Date.now() < until) {
      running.push(random.pick(events)());
      await wait(between(PAUSE_MS));
      for (const [n, { pid }] of workers.entries())
        if (!busy.has(n) && !isAlive(pid)) {
          exits.push(`worker ${n} exited`);
          busy.add(n);
          running.push(revive(n).finally(() => busy.delete(n)));
        }
    }
    await Promise.all(running);
    if (!isAlive(installation.web.pid)) exits.push('the web process exited');
  }

  return { counts, exits, ended: all() };
}

export const send = (simulator: ChildProcess, message: ChaosMessage) => simulator.send(message);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
