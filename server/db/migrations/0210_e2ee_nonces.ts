import { sql, type Kysely } from 'kysely';

/** Encrypted AI requests of the last minutes, so that none can be replayed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table ai_e2ee_nonces (
  hash bytea primary key check (octet_length(hash) = 32),
  created_at timestamptz not null default now()
);
create index ai_e2ee_nonces_age on ai_e2ee_nonces (created_at);
`;
