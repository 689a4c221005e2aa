import { sql, type Kysely } from 'kysely';

/** Templates that administrators add in the admin area. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table operator_templates (
  -- As a folder's name.
  id text primary key,
  -- template.yaml and docker-compose.yml, as docs/templates.md describes them.
  metadata text not null,
  compose_file text not null,
  -- The folder that both were read from; null if they were typed.
  source_url text,
  name text not null,
  version text not null,
  category text not null,
  state text not null default 'offered' check (state in ('offered', 'hidden')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
`;
