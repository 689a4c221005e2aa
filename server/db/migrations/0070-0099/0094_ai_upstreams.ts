import { sql, type Kysely } from 'kysely';

/** Model servers that the AI gateway forwards to, and the models it offers from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table ai_upstreams (
  id bigint generated always as identity primary key,
  name text not null unique,
  url text not null,
  -- Sealed with the server's key.
  sealed_api_key text,
  state text not null default 'active' check (state in ('active', 'disabled')),
  -- Per process; null for no limit.
  max_concurrency integer check (max_concurrency > 0),
  timeout_seconds integer not null check (timeout_seconds between 1 and 600),
  health text not null default 'unchecked' check (health in ('unchecked', 'ok', 'failing')),
  checked_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table ai_models (
  id bigint generated always as identity primary key,
  -- What requests call it.
  model text not null unique,
  name text not null,
  description text not null,
  context_length integer not null check (context_length between 1 and 8000000),
  endpoints text[] not null check (cardinality(endpoints) > 0),
  -- Micro-dollars per million tokens.
  input_price_micros bigint not null check (input_price_micros >= 0),
  cached_input_price_micros bigint not null check (cached_input_price_micros >= 0),
  output_price_micros bigint not null check (output_price_micros >= 0),
  -- [{"upstream_id": 1, "model": "its name there"}], the preferred one first.
  upstreams jsonb not null check (jsonb_array_length(upstreams) between 1 and 20),
  state text not null default 'active' check (state in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

alter table ai_requests
  add column upstream_id bigint references ai_upstreams on delete set null,
  -- Tokens that the upstream didn't report.
  add column is_estimated boolean not null default false;
create index ai_requests_upstream on ai_requests (upstream_id) where upstream_id is not null;
`;
