import { sql } from 'kysely';
import type { Logger } from 'pino';
import { checkBooks } from '../../db/billing/checkBooks';
import type { Db } from '../../db/core/client';
import { toJson } from '../../db/core/json';

const DAY_MS = 24 * 3_600_000;

/** Sums the ledger again once a day, and stores wrong sums for the alert and the admin area. */
export async function checkBooksDaily({ db, log, now }: { db: Db; log: Logger; now: Date }): Promise<void> {
  const last = await db
    .selectFrom('ledger_checks')
    .select('checked_at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last && now.getTime() - last.checked_at.getTime() < DAY_MS) return;
  // One snapshot, because postings continue concurrently.
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      // Reading the whole ledger takes longer than any request may.
      await sql`set local statement_timeout = '15min'`.execute(trx);
      const discrepancies = await checkBooks(trx);
      const { rows } = await sql<{
        count: number;
      }>`select count(*) as count from ledger_transactions`.execute(trx);
      await trx
        .insertInto('ledger_checks')
        .values({
          transactions: rows[0]?.count ?? 0,
          discrepancies: toJson(discrepancies),
          checked_at: now,
        })
        .execute();
      if (discrepancies.length > 0) log.error({ discrepancies }, "the ledger doesn't balance");
    });
}
