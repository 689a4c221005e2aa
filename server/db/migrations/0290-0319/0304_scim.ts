import { sql, type Kysely } from 'kysely';

/** Provisioning of a team's members by its identity provider (SCIM 2.0): one token per connection, and the users it sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table scim_tokens (
  connection_id bigint primary key references sso_connections on delete cascade,
  token_hash bytea not null unique,
  token_prefix text not null,
  token_last4 text not null,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

create table scim_users (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  connection_id bigint not null references sso_connections on delete cascade,
  user_name text not null,
  -- Normalized; of the connection's domain when it was written.
  email text not null,
  external_id text,
  display_name text,
  formatted_name text,
  given_name text,
  family_name text,
  active boolean not null,
  -- Null while the owner of an existing account has yet to confirm the link, and once the account is deleted.
  user_id bigint references users on delete set null,
  -- Whether the issuer may open the account without a confirmation: it had it created, or alone opened it until a deactivation.
  issuer_opens_account boolean not null default false,
  -- Role of the membership that a deactivation ended, and whether the provider kept it in sync; null otherwise.
  former_role text check (former_role in ('viewer', 'member', 'billing', 'admin')),
  former_role_synced boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Rows of deleted users stay: their addresses can't sign in through the connection until they are provisioned again.
  deleted_at timestamptz
);
create unique index scim_users_name on scim_users (connection_id, lower(user_name)) where deleted_at is null;
create unique index scim_users_email on scim_users (connection_id, email);
create unique index scim_users_account on scim_users (connection_id, user_id) where deleted_at is null;
create index scim_users_page on scim_users (connection_id, id) where deleted_at is null;
create index scim_users_external on scim_users (connection_id, external_id) where deleted_at is null;
create index scim_users_user on scim_users (user_id);
`;
