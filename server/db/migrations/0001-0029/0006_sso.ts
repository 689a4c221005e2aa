import { sql, type Kysely } from 'kysely';

/**
 * Single sign-on: a team's OpenID Connect provider, the users it vouched for, and sign-ins in progress.
 *
 * Secrets: the client secret and the PKCE verifier are sealed with the server's key because they must be read
 * again; state and the browser's cookie are hashed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table sso_connections (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null unique references teams on delete cascade,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text,
  -- Lower case, in ASCII (RFC 5890 A-labels).
  domain text not null,
  -- The TXT record proves that who answers for the domain wants this issuer: a new one of either needs a new proof.
  domain_challenge text not null,
  domain_verified_at timestamptz,
  enforced boolean not null default false,
  default_role text not null default 'viewer' check (default_role in ('viewer', 'member', 'billing', 'admin')),
  role_claim text,
  -- [{value, role}], the first that fits counts.
  role_rules jsonb not null default '[]',
  last_sign_in_at timestamptz,
  -- Why the last sign-in or check did not work; null after one that did.
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (not enforced or domain_verified_at is not null)
);
-- Many teams may claim a domain, one can have proved it.
create unique index sso_connections_domain on sso_connections (domain) where domain_verified_at is not null;

-- Whom the provider means by a subject. A changed e-mail address does not move the subject to another account.
create table sso_identities (
  connection_id bigint not null references sso_connections on delete cascade,
  subject text not null,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (connection_id, subject)
);
create index sso_identities_user on sso_identities (user_id);

-- A row is taken out by the answer it waits for, so an answer counts once.
create table sso_sign_ins (
  state_hash bytea primary key,
  -- The cookie of the browser that began: nobody can be made to finish the sign-in of another (RFC 6749 section 10.12).
  browser_hash bytea not null,
  connection_id bigint not null references sso_connections on delete cascade,
  nonce text not null,
  sealed_code_verifier text not null,
  next text,
  expires_at timestamptz not null
);
create index sso_sign_ins_age on sso_sign_ins (expires_at);

alter table sessions add column sso_connection_id bigint references sso_connections on delete set null;
create index sessions_sso on sessions (sso_connection_id) where sso_connection_id is not null;

alter table pending_sign_ins add constraint pending_sign_ins_sso
  foreign key (sso_connection_id) references sso_connections on delete cascade;

-- The connection that made this membership and keeps its role in step; null for one a person made.
alter table memberships add column sso_connection_id bigint references sso_connections on delete set null;
create index memberships_sso on memberships (sso_connection_id) where sso_connection_id is not null;
`;
