import { sql, type Kysely } from 'kysely';

/**
 * Users and teams: second factors, mailed links, invitations, what a session proved, team rules.
 *
 * Secrets: link, invitation and sign-in tokens are hashed (190 random bits, SHA-256), the TOTP secret is sealed
 * with the server's key because it must be read again, recovery codes are hashed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table users
  -- Since when the person has any second factor; null: none. Kept beside the factors because every request asks.
  add column second_factor_at timestamptz,
  add column password_changed_at timestamptz;

alter table teams
  add column require_second_factor boolean not null default false,
  add column deleted_at timestamptz;

-- Addresses a team had before: they keep leading to it and are given to nobody else.
create table team_former_slugs (
  slug text primary key,
  team_id bigint not null references teams on delete cascade,
  created_at timestamptz not null default now()
);
create index team_former_slugs_team on team_former_slugs (team_id);

alter table memberships add column last_seen_at timestamptz;

alter table sessions
  add column public_id text,
  add column auth_method text not null default 'password'
    check (auth_method in ('password', 'passkey', 'sso', 'registration', 'invitation')),
  -- When this session showed a second factor.
  add column second_factor_at timestamptz,
  -- When the person last proved to be there: at sign-in, and at each step-up.
  add column confirmed_at timestamptz not null default now();
update sessions set public_id = 'ses_' || md5(id::text || clock_timestamp()::text), confirmed_at = created_at;
alter table sessions alter column public_id set not null;
create unique index sessions_public_id on sessions (public_id);

alter table api_tokens
  add column token_last4 text not null default '',
  add column last_used_ip text;

create table pending_sign_ins (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users on delete cascade,
  auth_method text not null check (auth_method in ('password', 'sso')),
  sso_connection_id bigint,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index pending_sign_ins_user on pending_sign_ins (user_id);
create index pending_sign_ins_age on pending_sign_ins (expires_at);

create table totp_credentials (
  user_id bigint primary key references users on delete cascade,
  sealed_secret text not null,
  confirmed_at timestamptz,
  -- The time step of the last accepted code: a code works once (RFC 6238 section 5.2).
  last_step bigint,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create table passkeys (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  user_id bigint not null references users on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'sign_in', 'second_factor', 'step_up')),
  -- Null when anybody may answer: signing in with a passkey names nobody beforehand.
  user_id bigint references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_age on passkey_challenges (expires_at);

create table recovery_codes (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  unique (user_id, code_hash)
);

create table mail_links (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'email_change_old', 'email_change_new')),
  user_id bigint not null references users on delete cascade,
  -- The address the link was sent to.
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_links_user on mail_links (user_id, purpose);
create index mail_links_age on mail_links (expires_at);

create table email_changes (
  user_id bigint primary key references users on delete cascade,
  email text not null,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create table invitations (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams on delete cascade,
  email text not null,
  role text not null check (role in ('viewer', 'member', 'billing', 'admin', 'owner')),
  token_hash bytea not null unique,
  -- An expired invitation is pending with expires_at in the past.
  state text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'revoked')),
  invited_by bigint references users on delete set null,
  accepted_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index invitations_team on invitations (team_id, id desc);
create unique index invitations_pending on invitations (team_id, lower(email)) where state = 'pending';
`;
