import { endsWithin } from '../../../console/lib/endsWithin';
import type { Db } from '../../db/core/client';
import { HOST_LEASE_SECONDS, hostShardLeases, hostWorkers } from '../../db/hosts/hostShards';
import { shardOf, shareOf } from '../../domain/hosts/shards';
import { beat, type Process } from '../core/heartbeat';
import { steadyClock } from '../core/steadyClock';

/** Less than a third of the lease, so that one refresh may fail. */
export const HOST_REFRESH_MS = 3_000;
/** A worker stops this long before its leases expire, to allow for network delay. */
const MARGIN_MS = 3_000;
/** Time for the work on hosts to end when the process exits. */
const GRACE_MS = 5_000;

/** The period in which a worker may query a host and write the result. */
export interface Tenure {
  /** Aborted when the worker loses the host's shard or gives it away. */
  readonly signal: AbortSignal;
  /** @throws once another worker may have the host */
  check(): void;
}

/** For work on a host outside its worker's rounds, such as an administrator's request. */
export const untilDone = (): Tenure => ({ signal: new AbortController().signal, check: () => undefined });

export interface HostShards {
  /** Renews the leases, gives away shards above this worker's share, and takes missing ones. */
  refresh(): Promise<void>;
  /** Returns the shards whose hosts this worker may query now. */
  own(): Promise<readonly number[]>;
  /** Works on a host, unless its shard is gone. Losing the shard ends the work without an error. */
  visit(teepod_id: number, work: (tenure: Tenure) => Promise<void>): Promise<void>;
  /** Aborts the work on hosts and releases the leases, so that others take over immediately. */
  stop(): Promise<void>;
}

interface Options {
  db: Db;
  me: Process;
  isDead: (worker: string) => boolean;
  /** Milliseconds; only differences count. */
  now?: () => number;
}

interface Held {
  tenure: AbortController;
  /** Visits in progress. */
  visits: number;
  isLeaving: boolean;
}

class ShardLost extends Error {
  constructor() {
    super('another worker may have the host');
  }
}

/**
 * Divides the hosts among the workers: every shard of hosts is leased to one of them. A worker takes at most
 * its share, so each new one gets some. Two workers never query the same host at a time: a worker stops before
 * its leases can expire, and gives a shard away only once nothing is in progress on its hosts.
 */
export function createHostShards({ db, me, isDead, now = steadyClock() }: Options): HostShards {
  const held = new Map<number, Held>();
  const visits = new Set<Promise<void>>();
  let held_until = -Infinity;
  let expiry: NodeJS.Timeout | undefined;
  let refreshing: Promise<void> | null = null;
  let hasRefreshed = false;
  let isStopped = false;

  const isCurrent = () => !isStopped && now() < held_until;
  const begin = (): Held => ({ tenure: new AbortController(), visits: 0, isLeaving: false });
  const abortAll = () => held.forEach(({ tenure }) => tenure.abort(new ShardLost()));

  function extend(began: number): void {
    held_until = began + HOST_LEASE_SECONDS * 1000 - MARGIN_MS;
    watchExpiry();
  }

  function watchExpiry(): void {
    clearTimeout(expiry);
    expiry = setTimeout(() => (isCurrent() ? watchExpiry() : abortAll()), Math.max(1, held_until - now()));
    expiry.unref();
  }

  /** @param kept shards under this worker's name in the database */
  function keep(kept: ReadonlySet<number>): void {
    for (const [shard, one] of held) {
      if (!kept.has(shard)) {
        one.tenure.abort(new ShardLost());
        held.delete(shard);
      } else if (one.tenure.signal.aborted && !one.isLeaving) one.tenure = new AbortController();
    }
  }

  async function giveAway(share: number): Promise<void> {
    const staying = [...held].sort(([a], [b]) => a - b).filter(([, { isLeaving }]) => !isLeaving);
    for (const [, one] of staying.slice(share)) {
      one.isLeaving = true;
      one.tenure.abort(new ShardLost());
    }
    for (const [shard, one] of held) {
      if (!one.isLeaving || one.visits > 0) continue;
      await hostShardLeases.release(db, shard, me.id);
      held.delete(shard);
    }
  }

  async function renew(): Promise<void> {
    // After a pause of the whole process, no timer has done this yet.
    if (!isCurrent()) abortAll();
    const began = now();
    await beat(db, me, { takesHosts: true });
    const alive = (await hostWorkers(db)).filter((worker) => worker === me.id || !isDead(worker));
    const share = shareOf(me.id, alive);
    const kept = held.size === 0 ? [] : await hostShardLeases.hold(db, me.id, [...held.keys()]);
    if (isStopped) return;
    keep(new Set(kept.map(({ shard }) => shard)));
    extend(began);
    await giveAway(share);
    if (held.size < share && !isStopped) {
      await hostShardLeases.releaseHeldBy(db, (holder) => holder !== me.id && isDead(holder));
      const taken = await hostShardLeases.claim(db, me.id, share - held.size);
      for (const { shard } of taken) held.set(shard, begin());
    }
    hasRefreshed = true;
  }

  const refresh = (): Promise<void> => {
    if (isStopped) return Promise.resolve();
    return (refreshing ??= renew().finally(() => (refreshing = null)));
  };

  return {
    refresh,

    async own() {
      if (!hasRefreshed) await refresh();
      if (!isCurrent()) return [];
      return [...held].flatMap(([shard, { isLeaving }]) => (isLeaving ? [] : shard));
    },

    async visit(teepod_id, work) {
      const one = held.get(shardOf(teepod_id));
      if (!one || one.isLeaving || !isCurrent()) return;
      const { signal } = one.tenure;
      const check = () => {
        signal.throwIfAborted();
        if (!isCurrent()) throw new ShardLost();
      };
      one.visits += 1;
      const visit: Promise<void> = work({ signal, check })
        .catch((error: unknown) => {
          if (!signal.aborted && !(error instanceof ShardLost)) throw error;
        })
        .finally(() => {
          one.visits -= 1;
          visits.delete(visit);
        });
      visits.add(visit);
      await visit;
    },

    async stop() {
      isStopped = true;
      clearTimeout(expiry);
      abortAll();
      const ended = await endsWithin(Promise.allSettled([...visits, refreshing]), GRACE_MS);
      // Otherwise they expire, like those of a killed process.
      if (ended) await hostShardLeases.releaseHeldBy(db, (holder) => holder === me.id);
    },
  };
}
