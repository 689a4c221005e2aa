import { sql, type Kysely } from 'kysely';

/** Gateways outside this server, and their requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table ai_gateways (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- Where clients reach it, without /v1.
  url text not null,
  -- With its digest.
  image text not null,
  state text not null default 'active' check (state in ('active', 'disabled')),
  -- SHA-256; null until tokens are issued.
  control_hash bytea unique,
  config_hash bytea unique,
  -- Of the tokens before, with which a gateway may still report for two hours.
  previous_control_hash bytea,
  token_hint text,
  tokens_issued_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- One row per request that a gateway was allowed, until it is long over.
create table ai_consults (
  -- The gateway returns it with its report, as virtualKeyId.
  id bigint generated always as identity primary key,
  gateway_id bigint not null references ai_gateways on delete cascade,
  team_id bigint not null references teams,
  key_id bigint not null references ai_keys,
  -- Of ai_holds, where one was needed.
  hold_id text not null,
  model text not null,
  context_length integer not null,
  -- The gateway's own estimate; null if it sent none.
  estimated_input_tokens integer check (estimated_input_tokens >= 0),
  -- Micro-dollars per million tokens, when the request was allowed.
  input_price_micros bigint not null,
  cached_input_price_micros bigint not null,
  output_price_micros bigint not null,
  created_at timestamptz not null default now(),
  -- When its report was recorded.
  settled_at timestamptz
);
create index ai_consults_gateway on ai_consults (gateway_id);
create index ai_consults_age on ai_consults (created_at);

-- Name of the gateway then; null for the one built into this server.
alter table ai_requests add column gateway text;
`;
