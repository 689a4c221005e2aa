import { sql, type Kysely } from 'kysely';

/** The template that a revision came from, and the apps notified of a newer version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table template_versions (
  id bigint generated always as identity primary key,
  -- Null for a template of the server.
  team_id bigint references teams,
  -- A folder's name, or the public ID of a team's template.
  template_id text not null,
  version text not null,
  name text not null,
  -- Null if the server no longer had the file of this version.
  compose_file text,
  -- SHA-256 of the file, hex.
  compose_file_hash text,
  created_at timestamptz not null default now(),
  check ((compose_file is null) = (compose_file_hash is null))
);
create unique index template_versions_key on template_versions (template_id, version, coalesce(compose_file_hash, ''));

alter table provisions add column template_version_id bigint references template_versions;
alter table revisions add column template_version_id bigint references template_versions;
create index revisions_template on revisions (template_version_id) where template_version_id is not null;

-- One notification per app and version.
create table template_notices (
  app_id bigint not null references apps,
  template_id text not null,
  version text not null,
  told_at timestamptz not null default now(),
  -- When the app no longer was behind.
  ended_at timestamptz,
  primary key (app_id, template_id, version)
);
create index template_notices_open on template_notices (app_id) where ended_at is null;
`;
