import { sql, type Kysely } from 'kysely';

/** Whether it was announced that data is deleted for its age or number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table retention_notices (
  kind text not null,
  -- Null for the platform's own data.
  team_id bigint references teams on delete cascade,
  announced_at timestamptz not null,
  -- When deletion may start.
  starts_at timestamptz not null,
  -- Older rows are covered.
  covers_until timestamptz not null,
  unique nulls not distinct (kind, team_id)
);
create index retention_notices_team on retention_notices (team_id);
`;
