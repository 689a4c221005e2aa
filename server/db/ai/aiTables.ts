import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely';
import type { Json } from '../core/json';
import type { AiKey, AiModel, AiModelUpstream, AiRequest } from '../../../generated/api/types.gen';

/** One row per key of a team for the AI gateway. Written by members; `last_used_at` by the gateway (migration 0085_ai). */
export interface AiKeysTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  name: string;
  /** Migration 0088_ai_playground_keys. */
  purpose: Generated<AiKey['purpose']>;
  secret_hash: Buffer;
  /** Displayed, like `secret_last4`. */
  secret_prefix: string;
  secret_last4: string;
  /** The secret before the last rotation, until its grace period ends. */
  previous_hash: Buffer | null;
  previous_until: Date | null;
  /** Null: every model. */
  models: string[] | null;
  /** Null: no limit, as below. */
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  /** Spending limit per period; null: no limit (migration 0200_ai_key_budgets, like the next). */
  budget_micros: number | null;
  budget_period: Generated<AiKey['budget_period']>;
  created_by: number | null;
  created_at: Generated<Date>;
  last_used_at: Date | null;
  /** Null: never. */
  expires_at: Date | null;
  revoked_at: Date | null;
}

export type AiKeyRow = Selectable<AiKeysTable>;

/** One row per request that the gateway answered, without prompt and answer. Kept for 90 days (migration 0085_ai). */
export interface AiRequestsTable {
  id: GeneratedAlways<number>;
  /** The answer's `id`. */
  public_id: string;
  team_id: number;
  key_id: number;
  created_at: Generated<Date>;
  model: string;
  endpoint: AiRequest['endpoint'];
  status: number;
  outcome: AiRequest['outcome'];
  is_streamed: boolean;
  input_tokens: number;
  /** Part of `input_tokens`. */
  cached_tokens: number;
  output_tokens: number;
  /** Part of `output_tokens`. */
  reasoning_tokens: number;
  first_token_ms: number | null;
  duration_ms: number;
  /** Exact cost in millionths of a micro-dollar. */
  cost_picos: number;
  /** `X-Receipt-Id` (migration 0086_ai_receipts). */
  receipt_id: string | null;
  receipt: JSONColumnType<Record<string, Json>> | null;
  /**
   * Null: the built-in model. The upstream may have been removed since (migrations 0094_ai_upstreams and
   * 0312_ai_request_upstreams).
   */
  upstream_id: number | null;
  /** Name of the gateway at that time; null for the built-in one (migration 0242_ai_gateways). */
  gateway: string | null;
  /** Whether the upstream didn't report the tokens (migration 0094_ai_upstreams). */
  is_estimated: Generated<boolean>;
  /** Whether its cost is part of `ai_usage_lines`; never set for free requests (migration 0134_ai_charges). */
  is_posted: Generated<boolean>;
}

type Once<T> = ColumnType<T, T, never>;

/** One row per request in progress: its maximum cost, while billing is enforced (migration 0134_ai_charges). */
export interface AiHoldsTable {
  /** The gateway's ID for the request. */
  request_id: string;
  team_id: number;
  /** Null: held before migration 0200_ai_key_budgets. */
  key_id: number | null;
  amount_micros: number;
  created_at: Generated<Date>;
}

/** One row per key and day with cost, written when a request ends (migration 0200_ai_key_budgets). */
export interface AiKeyDaysTable {
  key_id: number;
  /** UTC, YYYY-MM-DD. */
  day: string;
  /** Exact, in millionths of a micro-dollar. */
  cost_picos: string;
}

/** Per key, what it used in the current minute, if that is limited (migration 0335_ai_key_minutes). */
export interface AiKeyMinutesTable {
  key_id: number;
  unit: 'requests' | 'tokens';
  /** A minute ends 60 seconds later; the next begins with the next use. */
  began_at: Date;
  used: number;
}

/** One row per team charged for AI requests. Written by the hourly close (migration 0134_ai_charges). */
export interface AiMetersTable {
  team_id: number;
  /** End of the last hour that was closed. */
  closed_until: Date;
  /** Remainder of a micro-dollar, in millionths. */
  carry_picos: number;
}

/** One row per team, hour, model and key, append-only. Written by the hourly close (migration 0134_ai_charges). */
export interface AiUsageLinesTable {
  id: GeneratedAlways<number>;
  team_id: Once<number>;
  /** Null if the hour came to less than a micro-dollar. */
  transaction_id: Once<number | null>;
  model: Once<string>;
  /** Null for hours closed before it was recorded (migration 0140_ai_totals). */
  key_id: Once<number | null>;
  /** The hour of the requests. */
  starts_at: Once<Date>;
  /** End of the hour they were charged with; later than their own hour if they were recorded late. */
  effective_at: Once<Date>;
  requests: Once<number>;
  input_tokens: Once<number>;
  cached_tokens: Once<number>;
  output_tokens: Once<number>;
  cost_picos: Once<number>;
  amount_micros: Once<number>;
}

/**
 * One row per model server. Written by administrators, and by teams for their own models; health columns by a worker, which
 * leaves `updated_at` (migration 0094_ai_upstreams).
 */
export interface AiUpstreamsTable {
  id: GeneratedAlways<number>;
  name: string;
  url: string;
  sealed_api_key: string | null;
  state: Generated<'active' | 'disabled'>;
  /** Per process; null: no limit. */
  max_concurrency: number | null;
  timeout_seconds: number;
  health: Generated<'unchecked' | 'ok' | 'failing'>;
  checked_at: Date | null;
  last_error: string | null;
  /** Whether it must prove what it runs before a prompt is sent there (migration 0261_ai_upstream_evidence, like the next two). */
  evidence_required: Generated<boolean>;
  /** 40 hexadecimal digits each. */
  accepted_app_ids: Generated<string[]>;
  /** Root keys: compressed secp256k1, hexadecimal. */
  accepted_kms_keys: Generated<string[]>;
  /**
   * Null: the platform's. Otherwise only this team's models use it (migration 0306_team_ai_models, like the
   * next).
   */
  team_id: number | null;
  /** For a team's upstream: the app at whose public address it is. */
  app_id: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type AiUpstreamRow = Selectable<AiUpstreamsTable>;

/**
 * One row per upstream and hour with a check of the worker's, kept for 30 days and as long as the upstream (migration
 * 0329_upstream_health).
 */
export interface AiUpstreamHoursTable {
  upstream_id: number;
  /** Its start. */
  hour: Date;
  checks: number;
  failed_checks: number;
}

/** One row per model that upstreams serve. Written by administrators, and by teams for their own keys (migration 0094_ai_upstreams). */
export interface AiModelsTable {
  id: GeneratedAlways<number>;
  /** Name used in requests. */
  model: string;
  name: string;
  description: string;
  context_length: number;
  endpoints: AiModel['endpoints'];
  /** Empty: not known (migration 0326_ai_details, like the next). */
  input_modalities: Generated<AiModel['input_modalities']>;
  /** Empty: what the endpoints return. */
  output_modalities: Generated<AiModel['output_modalities']>;
  /** Micro-dollars per million tokens. */
  input_price_micros: number;
  cached_input_price_micros: number;
  output_price_micros: number;
  /** The preferred one first. */
  upstreams: JSONColumnType<AiModelUpstream[]>;
  /** `active` is for platform models, `team` for models that only their team's keys can use. */
  state: Generated<'active' | 'disabled' | 'team'>;
  /** Null: the platform's, for every team (migration 0306_team_ai_models, like the next). */
  team_id: number | null;
  /** For a team's model: its ID in the API. */
  public_id: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type AiModelRow = Selectable<AiModelsTable>;

/**
 * One row with a version that changes whenever models or upstreams change as the gateway reads them (migration
 * 0259_ai_catalog).
 */
export interface AiCatalogTable {
  is_only: Generated<boolean>;
  version: Generated<number>;
}

/**
 * One row per gateway outside this server. Written by administrators; `last_seen_at` by its calls, which leave
 * `updated_at` (migration 0242_ai_gateways).
 */
export interface AiGatewaysTable {
  id: GeneratedAlways<number>;
  name: string;
  /** Where clients reach it, without /v1. */
  url: string;
  /** With its digest. */
  image: string;
  state: Generated<'active' | 'disabled'>;
  /** SHA-256; null until tokens are issued, like the next three. */
  control_hash: Buffer | null;
  config_hash: Buffer | null;
  /** The previous tokens, with which the gateway may still report for a while. */
  previous_control_hash: Buffer | null;
  token_hint: string | null;
  tokens_issued_at: Date | null;
  /** CVM deployed from the admin area; possibly deleted (migration 0260_ai_gateway_cvms). */
  deployed_cvm_id: number | null;
  last_seen_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type AiGatewayRow = Selectable<AiGatewaysTable>;

/** One row per request allowed to a gateway, kept for a day (migration 0242_ai_gateways). */
export interface AiConsultsTable {
  /** The gateway returns it with its report. */
  id: GeneratedAlways<number>;
  gateway_id: number;
  team_id: number;
  key_id: number;
  /** `request_id` in `ai_holds`, if there is a hold. */
  hold_id: string;
  model: string;
  context_length: number;
  /** The gateway's own estimate; null if it sent none. */
  estimated_input_tokens: number | null;
  /** Micro-dollars per million tokens, at the time the request was allowed. */
  input_price_micros: number;
  cached_input_price_micros: number;
  output_price_micros: number;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

export type AiConsultRow = Selectable<AiConsultsTable>;
