import { sql } from 'kysely';
import { withTransaction, type Db, type Tx } from '../db/core/client';

/**
 * Runs statements that insert many rows, without the time limit of a server's statements: a busy machine may need longer,
 * and how long it needs is not what a test asks.
 */
export const fill = <T>(db: Db, work: (trx: Tx) => Promise<T>): Promise<T> =>
  withTransaction(db, async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    return work(trx);
  });
