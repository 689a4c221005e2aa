import type { RawBuilder } from 'kysely';
import type { Logger } from 'pino';
import { endsWithin } from '../../../console/lib/endsWithin';
import type { Db } from '../../db/core/client';
import { countHosts, hostPage } from '../../db/hosts/hostShards';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import type { HostShards, Tenure } from './hostShards';

/** Hosts read from the database at a time. */
const PAGE = 200;

/** Shared by all jobs that query hosts. */
export interface HostWork {
  db: Db;
  log: Logger;
  hosts: HostShards;
  /** Records that a run of a periodic task ended at a limit and left this many hosts for the next. */
  cutShort: (task: string, left: number) => void;
}

export interface RoundRules {
  /** ID of the periodic task. */
  task: string;
  /** Selects hosts, besides those that administrators took offline. */
  which: RawBuilder<boolean>;
  /** Hosts queried concurrently. */
  max_concurrent: number;
  /** After this time a round visits no more hosts. */
  limit_ms: number;
  /** Then it waits this long for its hosts; slower ones finish on their own. */
  patience_ms: number;
  /** Logged when a visit fails. */
  failure: string;
  /** Milliseconds; only differences count. */
  now?: () => number;
}

/**
 * Returns a run that visits each of this worker's hosts once. A slow host delays only its own next visit,
 * because runs skip hosts whose visit hasn't ended. A run that takes too long stops there, and the next one
 * continues from that host, so every host has its turn.
 */
export function hostRounds(
  { db, log, hosts, cutShort }: HostWork,
  { task, which, max_concurrent, limit_ms, patience_ms, failure, now = () => performance.now() }: RoundRules,
  visit: (teepod: TeepodRow, tenure: Tenure) => Promise<void>,
): () => Promise<void> {
  const visits = new Map<number, Promise<void>>();
  let noticeEnd = (): void => undefined;
  /** ID of the host at which the last run was cut short; 0 if it was not. */
  let last = 0;

  function begin(teepod: TeepodRow): void {
    const one = hosts
      .visit(teepod.id, (tenure) => visit(teepod, tenure))
      .catch((error: unknown) => log.error({ err: error, teepod: teepod.name }, failure))
      .finally(() => {
        visits.delete(teepod.id);
        noticeEnd();
      });
    visits.set(teepod.id, one);
  }

  /** Visits hosts in ID order. Returns false when time is up. */
  async function lap(after: number, through: number, ends: number): Promise<boolean> {
    for (last = after; ;) {
      const page = await hostPage(db, { shards: await hosts.own(), which, after: last, through }, PAGE);
      for (const teepod of page) {
        while (visits.size >= max_concurrent && now() < ends)
          await endsWithin(new Promise<void>((resolve) => (noticeEnd = resolve)), ends - now());
        if (now() >= ends) return false;
        if (!visits.has(teepod.id)) begin(teepod);
        last = teepod.id;
      }
      if (page.length < PAGE) return true;
    }
  }

  async function noteCut(ranges: readonly { after: number; through: number }[]): Promise<void> {
    const shards = await hosts.own();
    const counts = ranges.map((range) => countHosts(db, { shards, which, ...range }, [...visits.keys()]));
    const left = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    if (left === 0) return;
    log.warn({ task, left }, 'round reached its time limit; the remaining hosts come first in the next one');
    cutShort(task, left);
  }

  return async () => {
    const ends = now() + limit_ms;
    const first = last;
    if (!(await lap(first, Number.MAX_SAFE_INTEGER, ends)))
      await noteCut([
        { after: last, through: Number.MAX_SAFE_INTEGER },
        { after: 0, through: first },
      ]);
    else if (first > 0 && !(await lap(0, first, ends))) await noteCut([{ after: last, through: first }]);
    else last = 0;
    if (visits.size > 0) await endsWithin(Promise.all(visits.values()), patience_ms);
  };
}
