import { sql, type Kysely } from 'kysely';

/** The pending payment that postpones a debt's deletion: one for each debt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table debts add column postponing_payment bigint references payments`.execute(db);
}
