import { sql, type Kysely } from 'kysely';

/** Teams' own templates, and the changes in each version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table template_versions add column change text;

create table team_templates (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  name text not null,
  summary text not null,
  vcpu integer not null,
  memory_mb integer not null,
  disk_gb integer not null,
  -- What the form asks for, from the variables of the Compose file.
  inputs jsonb not null,
  images jsonb not null,
  -- Counts from 1; rises with each change.
  version integer not null default 1,
  version_id bigint not null references template_versions,
  created_by bigint references users,
  updated_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index team_templates_name on team_templates (team_id, lower(name));
`;
