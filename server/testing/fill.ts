import { sql } from 'kysely';
import { withTransaction, type Db, type Tx } from '../db/core/client';

/**
 * Runs statements that insert many rows, without the server's statement timeout: a busy machine may need longer, and
 * tests don't measure it.
 */
export const fill = <T>(db: Db, work: (trx: Tx) => Promise<T>): Promise<T> =>
  withTransaction(db, async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    return work(trx);
  });
