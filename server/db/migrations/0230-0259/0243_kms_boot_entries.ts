import { sql, type Kysely } from 'kysely';

/**
 * Counts the audit entries about boots: what a key service allows is limited, too, and one boot may have many
 * entries.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table kms_boot_decisions
  -- Of a row that stands for the decisions beyond the limit: audit entries of those within it.
  add column entries integer not null default 0,
  add column entries_since timestamptz not null default now();
drop index kms_boot_decisions_refused;
`;
