import { sql } from 'kysely';
import { withTransaction, type Db, type Tx } from './client';

/** Runs several reads on one snapshot. The transaction refuses writes. */
export const readSnapshot = <T>(db: Db, read: (trx: Tx) => Promise<T>): Promise<T> =>
  withTransaction(
    db,
    async (trx) => {
      await sql`set transaction read only`.execute(trx);
      return read(trx);
    },
    { isolation: 'repeatable read' },
  );
