import { sql, type Kysely } from 'kysely';

/** Charges for AI gateway requests, and money held while they are in progress. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table ai_holds (
  -- The gateway's ID of the request.
  request_id text primary key,
  team_id bigint not null references teams,
  amount_micros bigint not null check (amount_micros > 0),
  created_at timestamptz not null default now()
);
create index ai_holds_team on ai_holds (team_id);
create index ai_holds_age on ai_holds (created_at);

-- Requests until now were free.
alter table ai_requests add column is_posted boolean not null default true;
alter table ai_requests alter column is_posted set default false;
create index ai_requests_unposted on ai_requests (team_id, created_at) include (cost_picos)
  where not is_posted and cost_picos > 0;

create table ai_meters (
  team_id bigint primary key references teams,
  -- End of the last hour that was closed.
  closed_until timestamptz not null,
  -- What of a micro-dollar was left over.
  carry_picos integer not null check (carry_picos between 0 and 999999)
);

create table ai_usage_lines (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams,
  -- Null where the hour came to less than a micro-dollar.
  transaction_id bigint references ledger_transactions,
  model text not null,
  -- The hour of the requests; the one they were charged with ends at effective_at, later if they were recorded late.
  starts_at timestamptz not null,
  effective_at timestamptz not null,
  requests bigint not null check (requests > 0),
  input_tokens bigint not null,
  cached_tokens bigint not null,
  output_tokens bigint not null,
  cost_picos bigint not null check (cost_picos > 0),
  amount_micros bigint not null check (amount_micros >= 0)
);
create index ai_usage_lines_team on ai_usage_lines (team_id, effective_at);
create index ai_usage_lines_transaction on ai_usage_lines (transaction_id) where transaction_id is not null;
create trigger ai_usage_lines_refuse before update or delete or truncate on ai_usage_lines
  for each statement execute function ledger_refuse();

-- Lines of AI models have neither a CVM nor an order.
alter table invoice_lines
  drop constraint invoice_lines_basis_check,
  drop constraint invoice_lines_check,
  add constraint invoice_lines_basis_check check (basis in ('size', 'disk', 'gpu', 'order', 'ai')),
  add constraint invoice_lines_check check (case basis when 'order' then order_id is not null and description is not null and cvm_id is null
    when 'ai' then order_id is null and description is not null and cvm_id is null
    else cvm_id is not null and vm_uuid is not null and cvm_name is not null and app_name is not null end);
`;
