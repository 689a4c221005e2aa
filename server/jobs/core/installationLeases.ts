import type { Db } from '../../db/core/client';
import { addPeriodicLeases, PERIODIC_LEASE_SECONDS, periodicLeases } from '../../db/core/periodicLeases';
import { steadyClock } from './steadyClock';

export interface InstallationLeases {
  /** Returns whether this process may run the task now. Answered from memory, without a query. */
  holds(name: string): boolean;
  /** Takes free leases and renews those held: one query while this process holds them all. */
  refresh(): Promise<void>;
  /** Releases every lease, so that another process can take over immediately. */
  release(): Promise<void>;
}

/** A process stops before its lease expires, so that network delay never lets two run. */
const MARGIN_MS = 3_000;

interface Options {
  db: Db;
  owner: string;
  names: readonly string[];
  isDead: (owner: string) => boolean;
  /** Milliseconds; only differences count. */
  now?: () => number;
}

/**
 * The leases run by the database's clock. A process compares no time with it: it counts from before a refresh, by
 * a clock that nobody can set back.
 */
export function createInstallationLeases({
  db,
  owner,
  names,
  isDead,
  now = steadyClock(),
}: Options): InstallationLeases {
  let held: ReadonlySet<string> = new Set();
  let held_until = -Infinity;
  let added = false;

  return {
    holds: (name) => held.has(name) && now() < held_until,
    async refresh() {
      if (names.length === 0) return;
      if (!added) await addPeriodicLeases(db, names);
      added = true;
      const began = now();
      let rows = await periodicLeases.hold(db, owner, names);
      if (rows.length < names.length) {
        await periodicLeases.releaseHeldBy(db, (holder) => holder !== owner && isDead(holder));
        rows = await periodicLeases.hold(db, owner, names);
      }
      held = new Set(rows.map(({ name }) => name));
      held_until = began + PERIODIC_LEASE_SECONDS * 1000 - MARGIN_MS;
    },
    async release() {
      held = new Set();
      await periodicLeases.releaseHeldBy(db, (holder) => holder === owner);
    },
  };
}
