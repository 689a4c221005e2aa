import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import {
  claimRounds,
  cvmsToMeasure,
  finishRound,
  rollUp,
  saveSamples,
  type MeasuredCvm,
  type Round,
  type Sample,
} from '../../db/metrics/metrics';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { ROLLUPS } from '../../domain/metrics/metricLevels';
import { measure } from '../../domain/metrics/metrics';
import { VmmError, type VmmDriver, type VmmRegistry } from '../../drivers/vmm';

/** Guests queried concurrently per host, and hosts per process. */
const GUESTS_AT_ONCE = 4;
const HOSTS_AT_ONCE = 16;
/** Time limit of one guest's response. */
const ANSWER_MS = 5_000;
/** After this many consecutive failures a host is skipped until the next round. */
const MOST_FAILURES = 5;
/** A host's guests are queried one after another over this part of the round, not all at its start. */
const SPREAD = 0.4;
/** With the third of a round in which hosts start, everything ends before the next. */
const LONGEST = 0.65;
const ROWS_AT_ONCE = 500;

export interface CollectorOptions {
  db: Db;
  vmm: VmmRegistry;
  log: Logger;
  /** Names this process. */
  owner: string;
  /** Between two rounds. */
  seconds: number;
}

export interface MetricsCollector {
  /** Starts the rounds that are due and that no other process has claimed. */
  tick(): Promise<void>;
  /** Rolls up finished steps. */
  rollUp(): Promise<void>;
  /** Aborts the rounds in progress; collected samples are kept. */
  stop(): Promise<void>;
}

/**
 * Measures every running CVM through its host, once per round. Each host's round is claimed by one process,
 * so none is done twice.
 */
export function createMetricsCollector({ db, vmm, log, owner, seconds }: CollectorOptions): MetricsCollector {
  const stopping = new AbortController();
  const busy = new Map<number, Promise<void>>();

  async function round(claimed: Round, teepod: TeepodRow): Promise<void> {
    const cvms = inTurn(
      await cvmsToMeasure(db, teepod.id),
      Math.floor(claimed.at.getTime() / (seconds * 1000)),
    );
    const samples: Sample[] = [];
    let answered = 0;
    const save = async () => {
      const batch = samples.splice(0);
      if (batch.length === 0) return;
      await saveSamples(db, claimed.at, batch).catch((error: unknown) =>
        log.error(
          { err: error, teepod: teepod.name, cvms: batch.length },
          'measurements could not be stored',
        ),
      );
    };
    for await (const sample of askAll(vmm.get(teepod), cvms, seconds, stopping.signal)) {
      samples.push(sample);
      if (sample.missing === null) answered += 1;
      if (samples.length >= ROWS_AT_ONCE) await save();
    }
    await save();
    await finishRound(db, claimed, owner, { cvms: cvms.length, answered });
  }

  return {
    async tick() {
      const limit = HOSTS_AT_ONCE - busy.size;
      if (limit <= 0 || stopping.signal.aborted) return;
      const claimed = await claimRounds(db, { owner, seconds, busy: [...busy.keys()], limit });
      if (claimed.length === 0) return;
      const teepods = await db
        .selectFrom('teepods')
        .selectAll()
        .where(
          'id',
          'in',
          claimed.map(({ teepod_id }) => teepod_id),
        )
        .execute();
      // A round started now would end after the database has closed.
      if (stopping.signal.aborted) return;
      for (const one of claimed) {
        const teepod = teepods.find(({ id }) => id === one.teepod_id);
        if (!teepod) continue;
        const done = round(one, teepod)
          .catch((error: unknown) =>
            log.error({ err: error, teepod: teepod.name }, 'a host could not be measured'),
          )
          .finally(() => busy.delete(teepod.id));
        busy.set(teepod.id, done);
      }
    },
    async rollUp() {
      // A round's samples are stored before the next one starts.
      for (const level of ROLLUPS)
        while (!stopping.signal.aborted && (await rollUp(db, level, seconds + 20)) > 0);
    },
    async stop() {
      stopping.abort();
      await Promise.all(busy.values());
    },
  };
}

/** Rotates the order each round, so that at a slow host time doesn't always run out for the same CVMs. */
function inTurn(cvms: readonly MeasuredCvm[], round: number): MeasuredCvm[] {
  const first = round % Math.max(1, cvms.length);
  return [...cvms.slice(first), ...cvms.slice(0, first)];
}

/** Yields every CVM once, as responses arrive; unresponsive ones with the reason. */
async function* askAll(
  driver: VmmDriver,
  cvms: readonly MeasuredCvm[],
  seconds: number,
  stopping: AbortSignal,
): AsyncGenerator<Sample> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(seconds * LONGEST * 1000)]);
  const began = performance.now();
  const gap_ms = (seconds * SPREAD * 1000) / Math.max(1, cvms.length);
  const done: Sample[] = [];
  /** Timed out: the guest's fault if its host returns another guest's response. */
  const silent: MeasuredCvm[] = [];
  let reached = false;
  let failures = 0;
  let next = 0;
  let wake = () => {};

  const worker = async () => {
    while (!signal.aborted) {
      const index = next++;
      const cvm = cvms[index];
      if (!cvm) return;
      const pause = began + index * gap_ms - performance.now();
      if (pause > 1) await wait(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || (!reached && failures >= MOST_FAILURES)) {
        silent.push(cvm);
        continue;
      }
      const answer = await ask(driver, cvm, signal);
      if (answer === 'silent') {
        failures += 1;
        silent.push(cvm);
      } else {
        reached = true;
        done.push(answer);
      }
      wake();
    }
  };
  let working = true;
  const all = Promise.all(Array.from({ length: GUESTS_AT_ONCE }, worker)).finally(() => {
    working = false;
    wake();
  });
  while (working || done.length > 0) {
    yield* done.splice(0);
    if (working) await new Promise<void>((resolve) => ((wake = resolve), done.length > 0 && resolve()));
  }
  await all;
  // A process that stops mid-round has no data on CVMs it did not query.
  if (stopping.aborted) return;
  for (const cvm of [...silent, ...cvms.slice(next)]) yield { cvm, missing: reached ? 'guest' : 'host' };
}

async function ask(driver: VmmDriver, cvm: MeasuredCvm, signal: AbortSignal): Promise<Sample | 'silent'> {
  const { guest } = driver;
  const id = cvm.host_vm_id;
  const options = () => ({ signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) });
  try {
    const system = await guest.sysInfo(id, options());
    const at = new Date();
    // Without these there is still CPU, memory and disk to show.
    const [network, containers] = await Promise.all([
      guest.networkInfo(id, options()).catch(() => null),
      guest.listContainers(id, options()).catch(() => null),
    ]);
    const reading = { at, system, interfaces: network?.interfaces ?? null, containers, vcpu: cvm.vcpu };
    return { cvm, missing: null, ...measure(cvm.state, reading) };
  } catch (error) {
    const answered =
      error instanceof VmmError && ['rejected', 'not_found', 'bad_reply', 'unsupported'].includes(error.kind);
    return answered ? { cvm, missing: 'guest' } : 'silent';
  }
}
