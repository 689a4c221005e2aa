import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db, Tx } from '../db/core/client';
import { retryCounts } from '../db/core/retries';
import { eventually } from './server';

/**
 * Sends a request while another transaction holds a lock, and does more in that transaction once the request
 * waits for it. Fails on a deadlock, even if a retry resolves it. @returns the answer, after the other
 * transaction's commit
 */
export async function lockRace<Answer>(
  db: Db,
  lock: (trx: Tx) => Promise<unknown>,
  { request, meanwhile }: { request: () => Promise<Answer>; meanwhile: (trx: Tx) => Promise<unknown> },
): Promise<Answer> {
  const deadlocks = retryCounts().get('40P01');
  const { answer } = await db.transaction().execute(async (trx) => {
    await lock(trx);
    const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    const waiting = request();
    await eventually('the request waits', async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where ${own.rows[0]?.pid}::int = any(pg_blocking_pids(pid))`.execute(
        db,
      );
      return rows.length > 0;
    });
    await meanwhile(trx);
    return { answer: waiting };
  });
  const answered = await answer;
  expect(retryCounts().get('40P01')).toBe(deadlocks);
  return answered;
}
