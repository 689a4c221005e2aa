import { sql, type Kysely } from 'kysely';

/** Users' vaults and the second copies of secrets in them. The server can open none of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table vaults (
  user_id bigint primary key references users on delete cascade,
  -- X25519
  public_key bytea not null check (octet_length(public_key) = 32),
  created_at timestamptz not null default now()
);

-- The vault's private key, wrapped by a passphrase or a passkey.
create table vault_locks (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  user_id bigint not null references vaults on delete cascade,
  kind text not null check (kind in ('passphrase', 'passkey')),
  name text not null,
  salt bytea not null check (octet_length(salt) = 32),
  iterations integer check ((iterations is not null) = (kind = 'passphrase')),
  credential_id text check ((credential_id is not null) = (kind = 'passkey')),
  wrapped_key bytea not null check (octet_length(wrapped_key) = 60),
  created_at timestamptz not null default now()
);
create index vault_locks_user on vault_locks (user_id, id);

create table secret_copies (
  user_id bigint not null references vaults on delete cascade,
  app_id bigint not null references apps on delete cascade,
  -- SHA-256 of the sealed environment it was made beside
  env_digest bytea not null check (octet_length(env_digest) = 32),
  team_id bigint not null,
  ciphertext bytea not null,
  updated_at timestamptz not null default now(),
  primary key (user_id, app_id, env_digest),
  -- Who leaves the team leaves its secrets.
  foreign key (team_id, user_id) references memberships (team_id, user_id) on delete cascade
);
create index secret_copies_member on secret_copies (team_id, user_id);
create index secret_copies_app on secret_copies (app_id);
`;
