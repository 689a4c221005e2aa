import { sql, type Kysely } from 'kysely';

/**
 * Posted budget usage no longer includes orders: only metered use stops or refuses CVMs. It is summed again at
 * the next check.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update budgets set posted_seq = -1`.execute(db);
}
