import { sql, type Kysely } from 'kysely';

/** Changes that wait until an app's contract allows them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table approvals (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  -- SHA-256 of the commit token, in hex.
  token_hash text not null unique,
  team_id bigint not null references teams on delete cascade,
  app_id bigint not null references apps on delete cascade,
  -- The CVM to update or to replicate; for a rollout the one that represents the app.
  cvm_id bigint not null references cvms on delete cascade,
  kind text not null check (kind in ('update', 'replica', 'rollout')),
  payload jsonb not null,
  -- What is to run, and what ran when it was prepared.
  revision_id bigint not null references revisions,
  base_revision_id bigint not null references revisions,
  compose_hash text not null check (compose_hash ~ '^[0-9a-f]{64}$'),
  device_ids text[] not null,
  requested_by bigint references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Committed, superseded or withdrawn.
  ended_at timestamptz,
  -- The operation it became.
  correlation_id uuid
);
create unique index approvals_alive on approvals (cvm_id, kind) where ended_at is null;
create index approvals_app on approvals (app_id) where ended_at is null;
create index approvals_revision on approvals (revision_id);
`;
