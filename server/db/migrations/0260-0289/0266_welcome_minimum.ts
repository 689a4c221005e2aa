import { sql, type Kysely } from 'kysely';

/** The minimum first payment for a welcome credit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table promotion_codes add column minimum_micros bigint check (minimum_micros > 0);
update promotion_codes set minimum_micros = 5000000 where welcome;
alter table promotion_codes add check (welcome = (minimum_micros is not null));
`;
