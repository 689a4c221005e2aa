import { sql, type Kysely } from 'kysely';

/** Keys of the AI gateway and their requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table ai_keys (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  team_id bigint not null references teams,
  name text not null,
  secret_hash bytea not null unique,
  secret_prefix text not null,
  secret_last4 text not null,
  -- The secret before the last rotation, until its grace period ends.
  previous_hash bytea unique,
  previous_until timestamptz,
  -- Null: every model.
  models text[] check (cardinality(models) between 1 and 100),
  requests_per_minute integer check (requests_per_minute > 0),
  tokens_per_minute integer check (tokens_per_minute > 0),
  created_by bigint references users,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index ai_keys_team on ai_keys (team_id, id desc);

-- Without prompts and answers.
create table ai_requests (
  id bigint generated always as identity primary key,
  public_id text not null,
  team_id bigint not null references teams,
  key_id bigint not null references ai_keys,
  created_at timestamptz not null default now(),
  model text not null,
  endpoint text not null,
  status smallint not null,
  outcome text not null check (outcome in ('completed', 'aborted', 'failed')),
  is_streamed boolean not null,
  input_tokens integer not null check (input_tokens >= 0),
  cached_tokens integer not null check (cached_tokens between 0 and input_tokens),
  output_tokens integer not null check (output_tokens >= 0),
  reasoning_tokens integer not null check (reasoning_tokens between 0 and output_tokens),
  first_token_ms integer,
  duration_ms integer not null,
  -- A million to the micro-dollar: tokens times the price of a million tokens in micro-dollars, so always whole.
  cost_picos bigint not null check (cost_picos >= 0)
);
create index ai_requests_team on ai_requests (team_id, id desc);
create index ai_requests_key on ai_requests (key_id, id desc);
create index ai_requests_age on ai_requests (created_at);
`;
