import { sql } from 'kysely';
import type { AdminAiKey, AdminAiUsage } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminSource';
import type { AiKeyRow } from './aiTables';

const DAYS = sql.lit(30);

export interface AdminAiKeyRow extends Omit<
  AiKeyRow,
  'secret_hash' | 'secret_prefix' | 'secret_last4' | 'previous_hash' | 'previous_until'
> {
  /** First and last characters of the secret. */
  hint: string;
  state: AdminAiKey['state'];
  /** Cost of its requests in 30 days, in micro-dollars. */
  cost: number;
}

/** Keys of every team, without their hashes. */
export const adminAiKeys: AdminListSource<AdminAiKeyRow> = {
  fields: {
    id: 'integer',
    team_id: 'integer',
    name: 'text',
    purpose: 'text',
    state: 'text',
    hint: 'text',
    models: 'none',
    requests_per_minute: 'integer',
    tokens_per_minute: 'integer',
    budget: 'money',
    budget_period: 'text',
    cost: 'money',
    created_by: 'integer',
    created_at: 'time',
    last_used_at: 'time',
    expires_at: 'time',
    revoked_at: 'time',
  } satisfies Record<keyof AdminAiKey, AdminFieldKind>,
  searched: ['name'],
  select: sql<AdminAiKeyRow>`
    select k.id, k.public_id, k.team_id, k.name, k.purpose, k.secret_prefix || '…' || k.secret_last4 as hint, k.models,
      k.requests_per_minute, k.tokens_per_minute, k.budget_micros, k.budget_micros as budget, k.budget_period,
      k.created_by, k.created_at, k.last_used_at, k.expires_at, k.revoked_at,
      case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end as state,
      (select coalesce(floor(sum(d.cost_picos) / 1000000), 0)::bigint from ai_key_days d
        where d.key_id = k.id and d.day > (now() at time zone 'utc')::date - ${DAYS}) as cost
    from ai_keys k`,
};

export interface AdminAiUsageRow {
  id: number;
  team_id: number;
  key_count: number;
  requests: number;
  input_tokens: number;
  output_tokens: number;
  /** Micro-dollars. */
  cost: number;
  last_request_at: Date;
}

/** Requests of every team that made any in 30 days. */
export const adminAiUsage: AdminListSource<AdminAiUsageRow> = {
  fields: {
    id: 'integer',
    team_id: 'integer',
    key_count: 'integer',
    requests: 'integer',
    input_tokens: 'integer',
    output_tokens: 'integer',
    cost: 'money',
    last_request_at: 'time',
  } satisfies Record<keyof AdminAiUsage, AdminFieldKind>,
  searched: [],
  select: sql<AdminAiUsageRow>`
    select u.*, u.team_id as id,
      (select count(*)::int from ai_keys k where k.team_id = u.team_id and k.purpose = 'program'
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as key_count
    from (
      select team_id, count(*)::bigint as requests, sum(input_tokens)::bigint as input_tokens,
        sum(output_tokens)::bigint as output_tokens, floor(sum(cost_picos) / 1000000)::bigint as cost,
        max(created_at) as last_request_at
      from ai_requests where created_at > now() - make_interval(days => ${DAYS}) group by team_id
    ) u`,
};
