import { sql } from 'kysely';
import { adminAll } from './adminList';
import type { AdminListQuery, AdminListSource } from './adminSource';
import type { Db } from './client';

/** Kept small, because several of these batches may wait for a slow reader. */
const BATCH_SIZE = 500;
/** Longer than a reader may stall before it is disconnected, because the transaction idles in that time. */
const IDLE_MS = 120_000;

/**
 * Yields all matching rows in batches from one cursor in one snapshot, at the reader's pace: at most one
 * batch is held in memory. Occupies a connection until the end, or until the caller returns.
 */
export async function* adminExport<Row>(
  db: Db,
  source: AdminListSource<Row>,
  query: Omit<AdminListQuery, 'first' | 'last'>,
): AsyncGenerator<Row[]> {
  const trx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    await sql`select set_config('idle_in_transaction_session_timeout', ${String(IDLE_MS)}, true)`.execute(
      trx,
    );
    await sql`declare everything no scroll cursor for ${adminAll(source, query)}`.execute(trx);
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(BATCH_SIZE)} from everything`.execute(trx);
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH_SIZE) return;
    }
  } finally {
    // Nothing was written, so there is nothing to commit.
    await trx.rollback().execute();
  }
}
