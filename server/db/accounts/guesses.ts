import { sql } from 'kysely';
import type { GuessLimit } from '../../domain/accounts/guessLimits';
import type { Db } from '../core/client';

export interface Counted {
  /** Within the window's allowance, so the attempt may be checked. */
  judged: boolean;
  /** Until the window ends. */
  endsInMs: number;
}

/**
 * Counts an attempt before it is checked, so that concurrent guesses can't all pass before the first one
 * fails. Windows expire on their own; each next one lasts twice as long per `allowed` failed attempts.
 * Refused attempts change nothing, so hammering doesn't lengthen anyone's wait.
 */
export async function countGuess(db: Db, limit: GuessLimit, windowSeconds: number): Promise<Counted> {
  const { key, allowed, doublings } = limit;
  const now = sql`clock_timestamp()`;
  const running = sql`g.window_ends_at > ${now}`;
  const quiet = sql`g.window_ends_at + interval '1 day' <= ${now}`;
  const { rows } = await sql<{ judged: boolean; ends_in: number }>`
    insert into guesses as g (key, attempts, total, window_ends_at)
    values (${key}, 1, 1, ${now} + ${windowSeconds}::int * interval '1 second')
    on conflict (key) do update set
      attempts = case when ${running} then least(g.attempts, ${allowed}::int) + 1 else 1 end,
      total = case when ${quiet} then 1 when ${running} and g.attempts >= ${allowed}::int then g.total else g.total + 1 end,
      window_ends_at = case when ${running} then g.window_ends_at else ${now} + ${windowSeconds}::int * interval '1 second'
        * case when ${quiet} then 1 else power(2, least(${doublings}::int, g.total / ${allowed}::int)) end end
    returning attempts <= ${allowed}::int as judged,
      ceil(extract(epoch from window_ends_at - ${now}) * 1000)::float8 as ends_in`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('an attempt was not counted');
  return { judged: row.judged, endsInMs: row.ends_in };
}

/** Uncounts a successful attempt and, with `all`, the ones before it. */
export async function forgiveGuess(db: Db, key: string, all: boolean): Promise<void> {
  await (
    all
      ? sql`delete from guesses where key = ${key}`
      : sql`update guesses set attempts = greatest(attempts - 1, 0), total = greatest(total - 1, 0) where key = ${key}`
  ).execute(db);
}
