import type { AiKey, AiModel, AiRequest, AiUsage, AiUsageDay } from '../../../generated/api/types.gen';
import { outputsOf } from '../../../console/lib/ai/modalities';
import { formatMicros } from '../../../console/lib/billing/money';
import { defineVersion } from '../core/version';
import { isServedHere } from './evidence';
import type { ServedModel } from './models';
import { keyUsePicos } from './keyBudget';
import { formatPicos } from './usage';

interface EditedAiKey {
  name: string;
  models: readonly string[] | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  revoked_at: Date | null;
  budget_micros: number | null;
  budget_period: AiKey['budget_period'];
}

export const aiKeyVersion = defineVersion<EditedAiKey>('a1', [
  { field: 'name', value: ({ name }) => name },
  { field: 'models', value: ({ models }) => models },
  { field: 'requests_per_minute', value: (key) => key.requests_per_minute },
  { field: 'tokens_per_minute', value: (key) => key.tokens_per_minute },
  { field: 'revoked_at', value: ({ revoked_at }) => revoked_at },
  {
    field: 'budget',
    value: ({ budget_micros }) => (budget_micros === null ? null : formatMicros(budget_micros)),
  },
  { field: 'budget_period', value: ({ budget_period }) => budget_period },
]);

interface AiKeyFields extends EditedAiKey {
  public_id: string;
  purpose: AiKey['purpose'];
  secret_prefix: string;
  secret_last4: string;
  models: string[] | null;
  previous_until: Date | null;
  created_at: Date;
  created_by_username: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  used_picos: string;
  held_micros: number;
}

export function aiKeyOut(row: AiKeyFields, now = new Date()): AiKey {
  const shown = {
    id: row.public_id,
    name: row.name,
    purpose: row.purpose,
    hint: `${row.secret_prefix}…${row.secret_last4}`,
    models: row.models,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    budget: row.budget_micros === null ? null : formatMicros(row.budget_micros),
    budget_period: row.budget_period,
    budget_used: formatPicos(keyUsePicos(row)),
    created_at: row.created_at.toISOString(),
    created_by: row.created_by_username,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    previous_secret_until:
      row.previous_until !== null && row.previous_until > now ? row.previous_until.toISOString() : null,
  };
  return { ...shown, etag: aiKeyVersion.etag(row, shown) };
}

export const aiModelOut = (model: ServedModel & Parameters<typeof isServedHere>[0]): AiModel => ({
  id: model.id,
  name: model.name,
  description: model.description,
  context_length: model.context_length,
  endpoints: [...model.endpoints],
  input_modalities: [...model.input_modalities],
  output_modalities: outputsOf(model),
  price_per_million: {
    input: formatMicros(model.prices.input),
    cached_input: formatMicros(model.prices.cached_input),
    output: formatMicros(model.prices.output),
  },
  is_built_in: model.is_built_in,
  is_team_model: model.team_id !== null,
  is_in_tee: model.is_in_tee,
  is_served_here: isServedHere(model),
});

interface AiRequestFields extends Omit<AiRequest, 'id' | 'created_at' | 'key_id' | 'cost'> {
  public_id: string;
  created_at: Date;
  key_public_id: string;
  cost_picos: number;
}

/** Without the columns that aren't part of it: files have it as it is. */
export const aiRequestOut = (row: AiRequestFields): AiRequest => ({
  id: row.public_id,
  created_at: row.created_at.toISOString(),
  key_id: row.key_public_id,
  key_name: row.key_name,
  model: row.model,
  gateway: row.gateway,
  endpoint: row.endpoint,
  status: row.status,
  outcome: row.outcome,
  is_streamed: row.is_streamed,
  input_tokens: row.input_tokens,
  cached_tokens: row.cached_tokens,
  output_tokens: row.output_tokens,
  reasoning_tokens: row.reasoning_tokens,
  is_estimated: row.is_estimated,
  first_token_ms: row.first_token_ms,
  duration_ms: row.duration_ms,
  cost: formatPicos(BigInt(row.cost_picos)),
  receipt_id: row.receipt_id,
});

interface AiUsageFields extends Omit<AiUsageDay, 'cost'> {
  cost_picos: string;
}

export const aiUsageDayOut = (row: AiUsageFields): AiUsageDay => ({
  date: row.date,
  model: row.model,
  requests: Number(row.requests),
  input_tokens: Number(row.input_tokens),
  output_tokens: Number(row.output_tokens),
  cost: formatPicos(BigInt(row.cost_picos)),
});

export const aiChargesOut = ({
  charged_micros,
  unposted_picos,
}: {
  charged_micros: number;
  unposted_picos: string;
}): Pick<AiUsage, 'charged' | 'not_charged'> => ({
  charged: formatMicros(charged_micros),
  not_charged: formatPicos(BigInt(unposted_picos)),
});
