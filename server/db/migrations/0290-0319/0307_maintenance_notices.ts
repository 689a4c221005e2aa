import { sql, type Kysely } from 'kysely';

/** Pending notices about maintenance windows, so that no transaction writes the events of a whole node. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- One row per window that is being announced. A newer announcement of the window replaces it.
create table maintenance_notices (
  id bigint generated always as identity primary key,
  -- Without a foreign key: the announcement that a window was canceled outlives it.
  window_id bigint not null unique,
  node_id bigint not null references nodes on delete cascade,
  what text not null check (what in ('planned', 'began', 'over')),
  message text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- The last CVM whose event is written. They are in the order of their IDs.
  last_cvm_id bigint not null default 0,
  -- The last CVM that learned of the window earlier. Null: all did.
  heard_through bigint
);
create index maintenance_notices_node on maintenance_notices (node_id);
`;
