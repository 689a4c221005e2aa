import { sql, type Kysely } from 'kysely';

/** How often each AI upstream passed its checks, by hour, from which the uptime of models is calculated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table ai_upstream_hours (
  upstream_id bigint not null references ai_upstreams on delete cascade,
  -- Its start.
  hour timestamptz not null,
  checks integer not null check (checks > 0),
  failed_checks integer not null check (failed_checks between 0 and checks),
  primary key (upstream_id, hour)
);
-- For deleting old ones.
create index ai_upstream_hours_age on ai_upstream_hours (hour);
`;
