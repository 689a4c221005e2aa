import { sql, type RawBuilder } from 'kysely';
import type { AdminListQuery, AdminListSource } from './adminSource';
import { withTransaction, type Db } from './client';
import { inTime, TooSlow } from './inTime';

/** Up to here totals are counted: as many rows as a bulk job may have, and more than anybody pages through. */
export const COUNTED = 10_000;
/** Counting may take so long, as a page without an exact total is worth more than a total without a page. */
const COUNT_MS = 150;
/** More rows than these that hold the words, and the words are too common to begin with. */
const MOST_HITS = 5_000;
/** The database's guess above which it is not even tried. */
const COMMON = 20_000;

export interface Total {
  total: number;
  /** The number is the planner's guess from its statistics (PostgreSQL manual §14.2), not a count. */
  estimated: boolean;
}

/** How many rows of `keys` fit: exactly as far as that is cheap, else as the planner estimates. */
export async function countRows(
  db: Db,
  keys: RawBuilder<unknown>,
  where: RawBuilder<boolean>,
): Promise<Total> {
  const counted = await inTime(db, COUNT_MS, async (trx) => {
    const { rows } = await sql<{ total: number }>`select count(*)::int as total
      from (select 1 from (${keys}) r where ${where} limit ${COUNTED + 1}) as counted`.execute(trx);
    return rows[0]?.total ?? 0;
  }).catch((error: unknown) => {
    if (error instanceof TooSlow) return null;
    throw error;
  });
  if (counted !== null && counted <= COUNTED) return { total: counted, estimated: false };
  const guess = await estimate(db, sql`select r.id from (${keys}) r where ${where}`);
  return { total: Math.max(guess, counted ?? 0), estimated: true };
}

/** Rows the planner expects of a select. */
async function estimate(db: Db, select: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${select}`.execute(db);
  return Math.round(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

/**
 * Rows of a large source that hold the words, when they are few: then the index of words is the way to begin, whatever
 * else is asked. Null where there are no words to look for, or they are so common that going along the order asked for
 * finds them sooner.
 */
export async function fewIdsWithWords(
  db: Db,
  { large }: AdminListSource<unknown>,
  { search }: AdminListQuery,
): Promise<(number | string)[] | null> {
  if (!large?.words || search === null) return null;
  const holding = large.words(search);
  if ((await estimate(db, holding)) > COMMON) return null;
  return withTransaction(db, async (trx) => {
    // Nothing but the words is asked, so no other index can answer; a wrong guess would read the whole table.
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql<{ id: number | string }>`${holding} limit ${MOST_HITS + 1}`.execute(trx);
    return rows.length > MOST_HITS ? null : rows.map(({ id }) => id);
  });
}
