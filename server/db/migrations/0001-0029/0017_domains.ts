import { sql, type Kysely } from 'kysely';

/**
 * Custom domains of apps. Limited per team and per app; a domain is deleted with its app, or with the CVM it
 * routes to.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table domains (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams on delete cascade,
  app_id bigint not null references apps on delete cascade,
  -- The one CVM it is for; null: whichever instance of the app the gateway chooses.
  cvm_id bigint references cvms on delete cascade,
  -- Lower case, in ASCII (RFC 5890 A-labels), without final dot; a wildcard begins with *.
  domain text not null,
  port integer not null check (port between 1 and 65535),
  state text not null default 'pending' check (state in ('pending', 'verified', 'broken')),
  -- Since when DNS has named this app and no other: what makes the domain this team's.
  proved_at timestamptz,
  verified_at timestamptz,
  broken_since timestamptz,
  -- The last diagnosis, as it is shown.
  diagnosis jsonb,
  -- Checks in a row that did not find everything right, of those the ones to which DNS gave no answer.
  failures integer not null default 0,
  unanswered integer not null default 0,
  checked_at timestamptz,
  next_check_at timestamptz not null default now(),
  lease_owner text,
  lease_until timestamptz,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (team_id, domain)
);
-- Many teams may add a domain, one has proved it.
create unique index domains_proved on domains (domain) where proved_at is not null;
create index domains_app on domains (app_id);
create index domains_cvm on domains (cvm_id) where cvm_id is not null;
create index domains_due on domains (next_check_at);
`;
