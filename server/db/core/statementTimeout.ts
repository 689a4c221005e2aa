import { sql } from 'kysely';
import { errorCode, withTransaction, type Db } from './client';

/** A statement exceeded its time limit. */
export class TooSlow extends Error {}

/** Runs `work` with a time limit of `ms` per statement. @throws TooSlow */
export async function inTime<T>(db: Db, ms: number, work: (trx: Db) => Promise<T>): Promise<T> {
  try {
    return await withTransaction(db, async (trx) => {
      await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(trx);
      return work(trx);
    });
  } catch (error) {
    // query_canceled
    if (errorCode(error) === '57014') throw new TooSlow(`longer than ${ms} ms`, { cause: error });
    throw error;
  }
}
