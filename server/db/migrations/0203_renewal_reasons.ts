import { sql, type Kysely } from 'kysely';

/**
 * Notified reasons why a term's renewal could not be paid: each kind of reason once, instead of only the first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table orders add column renewal_told text[] not null default '{}'
  check (renewal_told <@ array['funds', 'budget']);
update orders set renewal_told = array['funds'] where renewal_failed;
alter table orders drop column renewal_failed;
`;
