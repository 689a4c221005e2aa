import { sql, type Kysely } from 'kysely';

/** Finds the open notices of a finance action, which are in the teams of all who may approve it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notifications_finance on notifications (subject)
    where kind = 'finance_action' and resolved_at is null`.execute(db);
}
