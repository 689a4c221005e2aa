import type {
  AdminAiGateway,
  AdminAiKey,
  AdminAiModel,
  AdminAiUpstream,
  AdminAiUsage,
} from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import { iso, short, type Stored } from '../core/references';
import { gatewayCompose } from './gatewayCompose';

/** Returns an upstream without its API key: callers see only whether there is one. */
export const adminAiUpstreamOut = (
  row: Stored<AdminAiUpstream, 'checked_at' | 'created_at' | 'updated_at'>,
): AdminAiUpstream => ({
  id: row.id,
  name: row.name,
  url: row.url,
  team_id: row.team_id,
  has_api_key: row.has_api_key,
  state: row.state,
  max_concurrency: row.max_concurrency,
  timeout_seconds: row.timeout_seconds,
  evidence_required: row.evidence_required,
  accepted_app_ids: row.accepted_app_ids,
  accepted_kms_keys: row.accepted_kms_keys,
  health: row.health,
  model_count: row.model_count,
  checked_at: iso(row.checked_at),
  last_error: short(row.last_error, 2000),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

interface AdminAiModelFields extends Omit<
  Stored<AdminAiModel, 'created_at' | 'updated_at'>,
  'input_price' | 'cached_input_price' | 'output_price'
> {
  input_price_micros: number;
  cached_input_price_micros: number;
  output_price_micros: number;
}

export const adminAiModelOut = (row: AdminAiModelFields): AdminAiModel => ({
  id: row.id,
  model: row.model,
  team_id: row.team_id,
  name: row.name,
  description: row.description,
  context_length: row.context_length,
  endpoints: row.endpoints,
  input_modalities: row.input_modalities,
  output_modalities: row.output_modalities,
  input_price: formatMicros(row.input_price_micros),
  cached_input_price: formatMicros(row.cached_input_price_micros),
  output_price: formatMicros(row.output_price_micros),
  upstreams: row.upstreams,
  state: row.state,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

interface AdminAiGatewayFields extends Omit<
  Stored<AdminAiGateway, 'tokens_issued_at' | 'last_seen_at' | 'created_at' | 'updated_at'>,
  'compose'
> {
  public_url: string;
}

export const adminAiGatewayOut = (row: AdminAiGatewayFields): AdminAiGateway => ({
  id: row.id,
  name: row.name,
  url: row.url,
  image: row.image,
  state: row.state,
  token_hint: row.token_hint,
  tokens_issued_at: iso(row.tokens_issued_at),
  last_seen_at: iso(row.last_seen_at),
  request_count: row.request_count,
  team_id: row.team_id,
  cvm_id: row.cvm_id,
  cvm_status: row.cvm_status,
  compose: gatewayCompose(row, row.public_url),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

interface AdminAiKeyFields extends Omit<
  Stored<AdminAiKey, 'created_at' | 'last_used_at' | 'expires_at' | 'revoked_at'>,
  'budget' | 'cost'
> {
  budget_micros: number | null;
  /** Micro-dollars. */
  cost: number;
}

export const adminAiKeyOut = (row: AdminAiKeyFields): AdminAiKey => ({
  id: row.id,
  team_id: row.team_id,
  name: row.name,
  purpose: row.purpose,
  state: row.state,
  hint: row.hint,
  models: row.models,
  requests_per_minute: row.requests_per_minute,
  tokens_per_minute: row.tokens_per_minute,
  budget: row.budget_micros === null ? null : formatMicros(row.budget_micros),
  budget_period: row.budget_period,
  cost: formatMicros(row.cost),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  last_used_at: iso(row.last_used_at),
  expires_at: iso(row.expires_at),
  revoked_at: iso(row.revoked_at),
});

interface AdminAiUsageFields extends Omit<Stored<AdminAiUsage, 'last_request_at'>, 'cost'> {
  /** Micro-dollars. */
  cost: number;
}

export const adminAiUsageOut = (row: AdminAiUsageFields): AdminAiUsage => ({
  id: row.id,
  team_id: row.team_id,
  key_count: row.key_count,
  requests: row.requests,
  input_tokens: row.input_tokens,
  output_tokens: row.output_tokens,
  cost: formatMicros(row.cost),
  last_request_at: row.last_request_at.toISOString(),
});
