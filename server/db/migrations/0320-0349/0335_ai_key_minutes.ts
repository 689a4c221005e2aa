import { sql, type Kysely } from 'kysely';

/** Requests and tokens of AI keys with a limit per minute, counted across processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Unlogged: counting waits for no disk, and a database crash only resets the counts.
-- Requests and tokens have rows of their own: settling an answer doesn't hold up the admission of a request.
create unlogged table ai_key_minutes (
  key_id bigint not null references ai_keys on delete cascade,
  unit text not null check (unit in ('requests', 'tokens')),
  began_at timestamptz not null,
  used bigint not null check (used >= 0),
  primary key (key_id, unit)
) with (fillfactor = 50);
`;
