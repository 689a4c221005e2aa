import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../db/client';
import {
  claimRounds,
  cvmsToMeasure,
  finishRound,
  rollUp,
  saveSamples,
  type MeasuredCvm,
  type Round,
  type Sample,
} from '../db/metrics';
import type { TeepodRow } from '../db/schema';
import { ROLLUPS } from '../domain/metricLevels';
import { measure } from '../domain/metrics';
import { VmmError, type VmmDriver, type VmmRegistry } from '../drivers/vmm';

/** Guests asked at one time at one host, and hosts at one time by one process. */
const GUESTS_AT_ONCE = 4;
const HOSTS_AT_ONCE = 16;
/** Longest one guest may take for one answer. */
const ANSWER_MS = 5_000;
/** A host none of whose guests could be reached so often in a row is left alone until the next round. */
const MOST_FAILURES = 5;
/** The guests of a host are asked one after the other over this part of the round, not all at its begin. */
const SPREAD = 0.4;
/** With the third of a round in which hosts begin, everything is over before the next. */
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
  /** Begins with the hosts whose round is due and that no other process has. */
  tick(): Promise<void>;
  /** Rolls up what is over. */
  rollUp(): Promise<void>;
  /** Leaves the rounds in progress; what was answered is kept. */
  stop(): Promise<void>;
}

/**
 * Asks every running CVM what it uses, through its host, once in each round. Each host's round is claimed by one
 * process, so however many there are, none is done twice.
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
        log.error({ err: error, teepod: teepod.name, cvms: batch.length }, 'measurements could not be kept'),
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
      // A round that began now would end after the database has closed.
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
      // What a round writes is there when the next one begins.
      for (const level of ROLLUPS)
        while (!stopping.signal.aborted && (await rollUp(db, level, seconds + 20)) > 0);
    },
    async stop() {
      stopping.abort();
      await Promise.all(busy.values());
    },
  };
}

/** Another one comes first in each round, so that at a slow host it is not always the same ones that time is not left for. */
function inTurn(cvms: readonly MeasuredCvm[], round: number): MeasuredCvm[] {
  const first = round % Math.max(1, cvms.length);
  return [...cvms.slice(first), ...cvms.slice(0, first)];
}

/** Every CVM once, as answers come; those that do not answer with the reason. */
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
  /** No answer in time: of the guest if its host answers for another one. */
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
  // A process that ends in the middle of a round knows nothing of those it did not ask.
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
