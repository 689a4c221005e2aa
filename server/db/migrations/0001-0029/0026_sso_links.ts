import { sql, type Kysely } from 'kysely';

/**
 * Links between a sign-in provider and an account end with the membership, and the owner of an existing account
 * confirms its link. Sessions and tokens opened through a provider are marked, so that they never reach beyond
 * its team. Domain proofs are checked daily; a connection whose record is gone is suspended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table sso_connections
  add column require_email_verified boolean not null default true,
  -- Last check of the TXT record, and the last one that found it.
  add column domain_checked_at timestamptz,
  add column domain_seen_at timestamptz,
  -- First check of the running series that did not find it.
  add column domain_missing_since timestamptz,
  -- Nobody signs in through it and it is not enforced. The proof stays, so that the record's return restores it.
  add column suspended_at timestamptz,
  add check (suspended_at is null or domain_verified_at is not null);
update sso_connections set domain_seen_at = now() where domain_verified_at is not null;
create index sso_connections_recheck on sso_connections (domain_checked_at nulls first)
  where domain_verified_at is not null;

-- A suspended connection does not keep the domain from its next holder.
drop index sso_connections_domain;
create unique index sso_connections_domain on sso_connections (domain)
  where domain_verified_at is not null and suspended_at is null;

drop trigger sso_connections_access on sso_connections;
create trigger sso_connections_access
  after insert or delete or update of enforced, domain_verified_at, suspended_at on sso_connections
  for each row execute function notify_access();

-- Until now a link outlived the membership, and a session its connection.
delete from sso_identities i using sso_connections c
  where c.id = i.connection_id
    and not exists (select 1 from memberships m where m.team_id = c.team_id and m.user_id = i.user_id);
delete from sessions s where s.auth_method = 'sso' and (s.sso_connection_id is null or not exists (
  select 1 from sso_identities i where i.connection_id = s.sso_connection_id and i.user_id = s.user_id));
alter table sessions drop constraint sessions_sso_connection_id_fkey;
alter table sessions add constraint sessions_sso_connection_id_fkey
  foreign key (sso_connection_id) references sso_connections on delete cascade;

-- Made in a session opened by single sign-on: bound by the same limits as that session.
alter table api_tokens add column via_sso boolean not null default false;
alter table device_authorizations add column via_sso boolean not null default false;

-- A provider vouched for the address of an existing account; waits until that account confirms the link in the browser
-- that holds the cookie. The role is the one the provider's claims gave.
create table sso_link_requests (
  token_hash bytea primary key,
  connection_id bigint not null references sso_connections on delete cascade,
  issuer text not null,
  domain text not null,
  subject text not null,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('viewer', 'member', 'billing', 'admin')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sso_link_requests_age on sso_link_requests (expires_at);
create index sso_link_requests_user on sso_link_requests (user_id);
create index sso_link_requests_connection on sso_link_requests (connection_id);
`;
