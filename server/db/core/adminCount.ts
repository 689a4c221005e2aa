import { sql, type RawBuilder } from 'kysely';
import type { AdminListQuery, AdminListSource } from './adminSource';
import { withTransaction, type Db } from './client';
import { inTime, TooSlow } from './statementTimeout';

/** Totals are counted up to this limit: the maximum rows of a bulk job, and more than anyone pages through. */
const COUNTED = 10_000;
/** Time limit for counting: a page without an exact total is worth more than a total without a page. */
const COUNT_MS = 150;
/** With more matches than this, the words are too common for the word index to be the starting point. */
const MAX_HITS = 5_000;
/** Above this planner estimate the word index is not tried. */
const COMMON = 20_000;

export interface Total {
  total: number;
  /** The number is the planner's guess from its statistics (PostgreSQL manual §14.2), not a count. */
  estimated: boolean;
}

/** Counts matching rows of `keys`: exactly where that is cheap, otherwise by the planner's estimate. */
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

/** Returns the planner's row estimate for a select. */
async function estimate(db: Db, select: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) ${select}`.execute(db);
  return Math.round(rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}

/**
 * Returns the IDs of a large source's rows with the words, when there are few: then the word index is the best
 * start, regardless of other filters. Null without words, or when they are so common that walking the requested
 * order finds them sooner.
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
    // No other index can answer this query; a wrong estimate would scan the whole table.
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql<{ id: number | string }>`${holding} limit ${MAX_HITS + 1}`.execute(trx);
    return rows.length > MAX_HITS ? null : rows.map(({ id }) => id);
  });
}
