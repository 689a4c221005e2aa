import { sql, type Kysely } from 'kysely';

/**
 * Single sign-on for platform staff, through a provider that the operator configures instead of a team, and break-glass
 * links for when it is down.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table sessions
  drop constraint sessions_auth_method_check,
  add constraint sessions_auth_method_check check (auth_method in
    ('password', 'passkey', 'sso', 'registration', 'invitation', 'staff_sso', 'break_glass'));
alter table pending_sign_ins
  drop constraint pending_sign_ins_auth_method_check,
  add constraint pending_sign_ins_auth_method_check check (auth_method in ('password', 'sso', 'staff_sso', 'break_glass'));

-- Null: a sign-in of staff. Older processes find no connection for it and refuse it.
alter table sso_sign_ins alter column connection_id drop not null;

-- A subject is never reassigned, unlike an address (OpenID Connect Core, section 5.7). Another issuer links again.
create table staff_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index staff_identities_user on staff_identities (user_id);

-- One row per link from \`teehouse break-glass\`. Rows of used links stay: the sessions they opened show the reason.
create table break_glass_links (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  user_id bigint not null references users on delete cascade,
  reason text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- When the session that it opened ends at the latest; null until it is used.
  session_ends_at timestamptz
);
create index break_glass_links_user on break_glass_links (user_id);
`;
