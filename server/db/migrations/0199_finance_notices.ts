import { sql, type Kysely } from 'kysely';

/** Finds the open notices of a finance action, which are listed in the teams of all possible approvers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index notifications_finance on notifications (subject)
    where kind = 'finance_action' and resolved_at is null`.execute(db);
}
