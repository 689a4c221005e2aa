import { sql } from 'kysely';
import type { Db } from '../core/client';

/** Ways of payment are few. */
const MOST_ACCOUNTS = 50;

/** Returns the cached balances of all teams, summed by account, and how many teams have any. */
export async function ledgerSums(
  db: Db,
): Promise<{ accounts: { account: string; amount_micros: number }[]; teams: number }> {
  const { rows: accounts } = await sql<{ account: string; amount_micros: number }>`
    select account, sum(amount_micros)::bigint as amount_micros from ledger_balances
    group by account order by account limit ${MOST_ACCOUNTS}`.execute(db);
  const { rows } = await sql<{ teams: number }>`select count(*)::int as teams from ledger_heads`.execute(db);
  return { accounts, teams: rows[0]?.teams ?? 0 };
}

/** Returns the newest of the daily checks. */
export const lastLedgerCheck = async (db: Db) =>
  (await db
    .selectFrom('ledger_checks')
    .select(['checked_at', 'transactions', 'discrepancies'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()) ?? null;
