import { sql, type Kysely } from 'kysely';

/** Addresses that stopped watching an app, so that nobody can immediately have links sent to them again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table stopped_watches (
  -- Keyed hash of the app and the address: the address itself is deleted.
  hash text primary key,
  stopped_at timestamptz not null default now()
);
create index stopped_watches_stopped on stopped_watches (stopped_at);
`;
