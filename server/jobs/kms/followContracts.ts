import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { eventIn, followedContracts } from '../../db/kms/contractIndex';
import { ChainError, type ChainDriver, type EventAnnouncement } from '../../drivers/chain';
import { catchUp } from './indexContracts';

/** Per chain, because RPCs limit the addresses of a subscription. With more, all of them are only polled. */
const MAX_CONTRACTS = 1_000;
/** Without a refresh for this long, another process has taken over. */
const EXPIRY_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 300_000;
/** An outage is over when a connection has lasted this long. */
const STABLE_MS = 60_000;
/** Contracts of one chain read at the same time. */
const LANES = 4;
/** Reads until an announced event counts as false. The RPC may be some blocks behind. */
const TRIES = 3;
const AGAIN_MS = 700;
/** Consecutive false announcements after which a WebSocket is left alone for a while. */
const MAX_UNTRUE = 20;
/** The number of failures such a WebSocket counts as. */
const UNTRUE_FAILURES = 8;

export interface FollowerOptions {
  db: Db;
  chain: Pick<ChainDriver, 'announcesEvents' | 'watchEvents' | 'startBlock' | 'readEvents'>;
  log: Logger;
  maxContracts?: number;
  maxUntrue?: number;
  /** Milliseconds. */
  firstRetryMs?: number;
  againMs?: number;
  expiryMs?: number;
}

export interface ContractFollower {
  /**
   * Follows the currently indexed contracts. Called periodically by the process that holds the lease; a process
   * that lost it closes its connections.
   */
  refresh(): Promise<void>;
  /** Closes the connections, and waits for readings in progress. */
  stop(): Promise<void>;
}

/**
 * Reads contracts as soon as a WebSocket announces an event of theirs, rather than at the next poll. An
 * announcement only triggers a read: stored data comes from the RPCs, and without announcements everything is
 * polled as before.
 */
export function createContractFollower(options: FollowerOptions): ContractFollower {
  const { db, chain, log, maxContracts = MAX_CONTRACTS, expiryMs = EXPIRY_MS } = options;
  const channels = new Map<number, Channel>();
  /** Chains with too many contracts to follow. */
  let crowded: ReadonlySet<number> = new Set();
  let stopped = false;
  let expiry: NodeJS.Timeout | undefined;

  async function close(isWanted: (chain_id: number) => boolean = () => false): Promise<void> {
    const unwanted = [...channels].filter(([chain_id]) => !isWanted(chain_id));
    for (const [chain_id] of unwanted) channels.delete(chain_id);
    await Promise.all(unwanted.map(([, channel]) => channel.close()));
  }

  return {
    async refresh() {
      clearTimeout(expiry);
      expiry = setTimeout(() => void close(), expiryMs);
      const found = (await followedContracts(db, maxContracts)).filter(({ chain_id }) =>
        chain.announcesEvents(chain_id),
      );
      if (stopped) return;
      const followed = new Map(
        found.flatMap((one) => (one.addresses ? [[one.chain_id, one.addresses]] : [])),
      );
      const left = new Set(found.flatMap((one) => (one.addresses ? [] : [one.chain_id])));
      for (const chain_id of left)
        if (!crowded.has(chain_id))
          log.warn(
            { chain_id, max: maxContracts },
            'too many contracts to subscribe to; polling their events',
          );
      crowded = left;
      for (const [chain_id, addresses] of followed) {
        const channel = channels.get(chain_id) ?? openChannel(options, chain_id);
        channels.set(chain_id, channel);
        channel.follow(addresses);
      }
      await close((chain_id) => followed.has(chain_id));
    },
    async stop() {
      stopped = true;
      clearTimeout(expiry);
      await close();
    },
  };
}

interface Channel {
  /** @param addresses in a fixed order */
  follow(addresses: readonly string[]): void;
  close(): Promise<void>;
}

function openChannel(
  {
    db,
    chain,
    log,
    firstRetryMs = FIRST_RETRY_MS,
    againMs = AGAIN_MS,
    maxUntrue = MAX_UNTRUE,
  }: FollowerOptions,
  chain_id: number,
): Channel {
  const stopping = new AbortController();
  let addresses: readonly string[] | null = null;
  /** Ends with the current connection. */
  let turn = new AbortController();
  let failures = 0;
  let stable: NodeJS.Timeout | undefined;
  let done: Promise<void> = Promise.resolve();
  /** The newest announcement of each contract that isn't being read. */
  const waiting = new Map<string, EventAnnouncement>();
  const reading = new Map<string, Promise<void>>();
  let untrue = 0;

  async function connect(): Promise<void> {
    while (!stopping.signal.aborted) {
      turn = new AbortController();
      const signal = AbortSignal.any([stopping.signal, turn.signal]);
      try {
        await chain.watchEvents({ chain_id, addresses: addresses ?? [] }, { opened, announced }, signal);
        // Any other abort means that the set of contracts changed.
        if (turn.signal.reason instanceof ChainError) throw turn.signal.reason;
      } catch (error) {
        if (stopping.signal.aborted) return;
        await pauseAfter(error);
      } finally {
        clearTimeout(stable);
      }
    }
  }

  function opened(): void {
    clearTimeout(stable);
    stable = setTimeout(() => {
      if (failures > 0) log.info({ chain_id }, 'event subscription restored');
      failures = 0;
    }, STABLE_MS);
  }

  async function pauseAfter(error: unknown): Promise<void> {
    clearTimeout(stable);
    if (failures === 0)
      log.warn(
        error instanceof ChainError ? { chain_id, reason: error.message } : { chain_id, err: error },
        'event subscription lost; polling until it is restored',
      );
    failures += 1;
    if (untrue >= maxUntrue) failures = Math.max(failures, UNTRUE_FAILURES);
    untrue = 0;
    const ms = Math.min(firstRetryMs * 2 ** (failures - 1), MAX_RETRY_MS);
    await wait(ms * (0.5 + Math.random() / 2), undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  function announced(announcement: EventAnnouncement): void {
    waiting.set(announcement.address, announcement);
    readNext();
  }

  function readNext(): void {
    for (const [address, announcement] of waiting) {
      if (reading.size >= LANES || stopping.signal.aborted) return;
      if (reading.has(address)) continue;
      waiting.delete(address);
      const read = confirm(announcement)
        .catch((err: unknown) => {
          if (!stopping.signal.aborted) log.error({ err, address }, "couldn't read an announced event");
        })
        .finally(() => {
          reading.delete(address);
          readNext();
        });
      reading.set(address, read);
    }
  }

  /** Reads a contract until the index agrees with the announcement. */
  async function confirm({ address, block_number, block_hash, removed }: EventAnnouncement): Promise<void> {
    const contract = { chain_id, address };
    for (let tries = 0; ; tries++) {
      const state = await eventIn(db, contract, { number: block_number, hash: block_hash });
      // No longer followed, or the RPCs fail, so their view is unknown.
      if (!state || (tries > 0 && state.last_error !== null)) return;
      if (state.known !== removed) {
        // An event known before cost no read and proves nothing.
        if (tries > 0) untrue = 0;
        return;
      }
      if (tries === TRIES) break;
      if (tries > 0) await wait(againMs * tries, undefined, { signal: stopping.signal });
      await catchUp({ db, chain, log }, contract, 0);
    }
    untrue += 1;
    if (untrue < maxUntrue) return;
    waiting.clear();
    turn.abort(
      new ChainError(
        'bad_reply',
        `A WebSocket for chain ${chain_id} announced events that its RPCs don't know.`,
      ),
    );
  }

  return {
    follow(next) {
      const isFirst = addresses === null;
      if (addresses?.join() === next.join()) return;
      addresses = next;
      if (isFirst) done = connect();
      else turn.abort();
    },
    async close() {
      stopping.abort();
      waiting.clear();
      await Promise.all([done, ...reading.values()]);
    },
  };
}
