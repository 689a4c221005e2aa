import { setTimeout as wait } from 'node:timers/promises';
import { isDue } from '../../db/hosts/hostShards';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { claimRounds, finishRound, type Round, type RoundClaims } from '../../db/metrics/metricRounds';
import { cvmsToMeasure, rollUp, saveSamples, type MeasuredCvm, type Sample } from '../../db/metrics/metrics';
import { ROLLUPS } from '../../domain/metrics/metricLevels';
import { measure } from '../../domain/metrics/metrics';
import { VmmError, type VmmDriver, type VmmRegistry } from '../../drivers/vmm';
import type { HostWork } from '../hosts/hostRounds';
import type { Tenure } from '../hosts/hostShards';

/** Guests queried concurrently per host. */
const MAX_CONCURRENT_GUESTS = 4;
/** Hosts per process. Each host's guests are spread over the round, so few requests are in flight at a time. */
const MAX_CONCURRENT_HOSTS = 1_000;
/** Hosts that start per second. */
const CLAIM_BATCH_SIZE = 100;
/** A host that hasn't started by this part of a round would delay the next one. */
const LATEST = 2 / 3;
/** Time limit of one guest's response. */
const ANSWER_MS = 5_000;
/** After this many consecutive failures a host is skipped until the next round. */
const MAX_FAILURES = 5;
/** A host's guests are queried one after another over this part of the round, not all at its start. */
const SPREAD = 0.4;
/** With the third of a round in which hosts start, everything ends before the next. */
const MAX_SHARE = 0.65;
const ROW_BATCH_SIZE = 500;

export interface CollectorOptions extends HostWork {
  vmm: VmmRegistry;
  /** Names this process. */
  owner: string;
  /** Seconds between two rounds. */
  seconds: number;
  /** Hosts measured concurrently. */
  max_concurrent?: number;
}

export interface MetricsCollector {
  /** Starts the rounds of this worker's hosts that are due. */
  tick(): Promise<void>;
  /** Rolls up finished steps. */
  rollUp(): Promise<void>;
  /** Aborts the rounds in progress; collected samples are kept. */
  stop(): Promise<void>;
}

/**
 * Measures every running CVM of this worker's hosts once per round. Rounds are also claimed per host, so none
 * runs twice beside older versions, which share hosts by claims alone.
 */
export function createMetricsCollector({
  db,
  vmm,
  log,
  hosts,
  cutShort,
  owner,
  seconds,
  max_concurrent = MAX_CONCURRENT_HOSTS,
}: CollectorOptions): MetricsCollector {
  const stopping = new AbortController();
  const busy = new Map<number, Promise<void>>();
  /** Start of the last round that was cut short. */
  let cut_at = 0;

  async function round(claimed: Round, teepod: MeasuredHost, tenure: Tenure): Promise<void> {
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
        log.error({ err: error, teepod: teepod.name, cvms: batch.length }, "couldn't store metrics"),
      );
    };
    const signal = AbortSignal.any([stopping.signal, tenure.signal]);
    const answers = teepod.is_due ? askAll(vmm.get(teepod), cvms, seconds, signal) : allMissing(cvms);
    for await (const sample of answers) {
      samples.push(sample);
      if (sample.missing === null) answered += 1;
      if (samples.length >= ROW_BATCH_SIZE) await save();
    }
    await save();
    await finishRound(db, claimed, owner, { cvms: cvms.length, answered });
  }

  /** Records a cut once per round. */
  function noteCut({ at, left, elapsed }: RoundClaims): void {
    if (left <= 0 || elapsed < LATEST || at.getTime() === cut_at) return;
    cut_at = at.getTime();
    log.warn(
      { task: 'metrics', left },
      'round reached its time limit; the remaining hosts come first in the next one',
    );
    cutShort('metrics', left);
  }

  return {
    async tick() {
      if (stopping.signal.aborted) return;
      const shards = await hosts.own();
      if (shards.length === 0) return;
      const limit = Math.min(CLAIM_BATCH_SIZE, max_concurrent - busy.size);
      const claims = await claimRounds(db, { owner, seconds, shards, busy: [...busy.keys()], limit });
      noteCut(claims);
      const { claimed } = claims;
      if (claimed.length === 0) return;
      const teepods = await db
        .selectFrom('teepods')
        .selectAll()
        .select(isDue.as('is_due'))
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
        const done = hosts
          .visit(teepod.id, (tenure) => round(one, teepod, tenure))
          .catch((error: unknown) =>
            log.error({ err: error, teepod: teepod.name }, "couldn't collect a host's metrics"),
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

type MeasuredHost = TeepodRow & {
  /** False while a host doesn't respond and the reconciler backs off. */
  is_due: boolean;
};

async function* allMissing(cvms: readonly MeasuredCvm[]): AsyncGenerator<Sample> {
  for (const cvm of cvms) yield { cvm, missing: 'host' };
}

/** Rotates the order each round, so a slow host doesn't always run out of time for the same CVMs. */
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
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(seconds * MAX_SHARE * 1000)]);
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
      if (signal.aborted || (!reached && failures >= MAX_FAILURES)) {
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
  const all = Promise.all(Array.from({ length: MAX_CONCURRENT_GUESTS }, worker)).finally(() => {
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
    // Without these, CPU, memory and disk can still be shown.
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
