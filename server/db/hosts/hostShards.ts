import { sql, type RawBuilder } from 'kysely';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';
import { HOST_SHARDS, SHARD_STEP } from '../../domain/hosts/shards';
import type { Db } from '../core/client';
import { leasesOf } from '../core/leases';
import { isIn } from '../core/states';
import type { TeepodRow } from './teepodsTable';

/** With the next refresh of another worker, a killed worker's hosts are taken over within 15 seconds. */
export const HOST_LEASE_SECONDS = 10;

export const hostShardLeases = leasesOf({
  table: 'host_shards',
  key: 'shard',
  open: sql`true`,
  held: sql`lease_owner is not null`,
  seconds: HOST_LEASE_SECONDS,
});

/** Returns the processes that share the hosts now. */
export async function hostWorkers(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('workers')
    .select('id')
    .where('hosts_until', '>', sql<Date>`now()`)
    .execute();
  return rows.map(({ id }) => id);
}

/** The shard of a host, as `shardOf` computes it. */
export const hostShard = (id: string): RawBuilder<number> =>
  sql<number>`${sql.ref(id)} % ${sql.lit(HOST_SHARDS)} * ${sql.lit(SHARD_STEP)} % ${sql.lit(HOST_SHARDS)}`;

export const inShards = (id: string, shards: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${hostShard(id)} = any(${[...shards]}::int[])`;

/**
 * Matches hosts that respond or are due for a retry. A host with a live operation is queried in every round,
 * because a user waits for it.
 */
export const isDue = sql<boolean>`(teepods.reachable or teepods.retry_at is null or teepods.retry_at <= now()
  or exists (select from cvms c join operations o on o.cvm_id = c.id
    where c.teepod_id = teepods.id and ${isIn('o.state', LIVE_OPERATION)}))`;

/** Maximum backoff of an unresponsive host, in seconds: 1, 2, 4 and so on. */
export const MAX_RETRY_SECONDS = 120;

/**
 * Columns after a round without a response. The delay has jitter, so that hosts lost together aren't retried
 * together.
 */
export const UNANSWERED = {
  unanswered: sql<number>`unanswered + 1`,
  retry_at: sql<Date>`now() + make_interval(secs =>
    least(${sql.lit(MAX_RETRY_SECONDS)}, power(2, least(unanswered, 16))) * (0.8 + 0.4 * random()))`,
} as const;
/** Columns after a response. */
export const ANSWERED = { unanswered: 0, retry_at: null } as const;

/** Makes an unresponsive host due in the next round. */
export async function askInNextRound(db: Db, teepod_id: number): Promise<void> {
  await db
    .updateTable('teepods')
    .set({ retry_at: null })
    .where('id', '=', teepod_id)
    .where('retry_at', 'is not', null)
    .execute();
}

interface HostFilter {
  shards: readonly number[];
  which: RawBuilder<boolean>;
  /** IDs above `after` and up to `through`. */
  after: number;
  through: number;
}

const hosts = (db: Db, { shards, which, after, through }: HostFilter) =>
  db
    .selectFrom('teepods')
    .where('state', '<>', 'offline')
    .where(inShards('teepods.id', shards))
    .where(which)
    .where('id', '>', after)
    .where('id', '<=', through);

export const hostPage = (db: Db, filter: HostFilter, limit: number): Promise<TeepodRow[]> =>
  hosts(db, filter).selectAll().orderBy('id').limit(limit).execute();

export async function countHosts(db: Db, filter: HostFilter, except: readonly number[]): Promise<number> {
  const { count } = await hosts(db, filter)
    .where(sql<boolean>`id <> all(${[...except]}::bigint[])`)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
