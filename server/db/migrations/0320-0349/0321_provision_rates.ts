import { sql, type Kysely } from 'kysely';

/** What a provisioned deployment cost an hour when it was shown, so that none is committed at a higher price. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Null for provisions made before.
alter table provisions add column hourly_rate_micros bigint check (hourly_rate_micros >= 0);
`;
