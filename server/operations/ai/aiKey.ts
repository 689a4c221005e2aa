import { formatMicros } from '../../../console/lib/billing/money';
import { offeredModels } from '../../db/ai/aiModels';
import type { Tx } from '../../db/core/client';
import type { Json } from '../../db/core/json';
import { lockAiKey, type NamedAiKey } from '../../db/ai/aiKeys';
import { Problem } from '../../domain/core/problem';
import { hashToken, newToken, tokenPrefix } from '../../domain/teams/token';
import { amountOf } from '../billing/amount';
import { teamOf } from '../core/caller';
import { invalidField } from '../core/invalid';
import type { AuditEntry, Context } from '../types';

/** Returns the caller's team's key, locked until the transaction ends. @throws NOT_FOUND */
export async function holdAiKey(trx: Tx, ctx: Context, ai_key_id: string): Promise<NamedAiKey> {
  const row = await lockAiKey(trx, teamOf(ctx).id, ai_key_id);
  if (!row) throw new Problem('NOT_FOUND', { message: 'The team has no such AI key.' });
  return row;
}

/** @throws CONFLICT if the key was revoked or has expired */
export function needLive({ name, revoked_at, expires_at }: NamedAiKey): void {
  const has_expired = expires_at !== null && expires_at < new Date();
  if (revoked_at === null && !has_expired) return;
  throw new Problem('CONFLICT', {
    message: revoked_at === null ? `“${name}” has expired.` : `“${name}” was revoked.`,
    suggestions: ['Create another key.'],
  });
}

/** @throws VALIDATION_FAILED for a model that the gateway doesn't serve to the team */
export async function checkedModels(
  ctx: Context,
  models: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (!models) return null;
  const offered = new Set((await offeredModels(ctx.db, teamOf(ctx).id)).map(({ id }) => id));
  const unknown = models.find((id) => !offered.has(id));
  if (unknown !== undefined) throw invalidField('models', `The gateway has no model “${unknown}”.`);
  return [...new Set(models)];
}

/** Returns a budget in micro-dollars; null for none. @throws VALIDATION_FAILED */
export const budgetOf = (budget: string | null | undefined): number | null =>
  budget === null || budget === undefined ? null : amountOf(budget, 'budget');

export function newAiSecret() {
  const secret = newToken('ai');
  return {
    secret,
    stored: {
      secret_hash: hashToken(secret),
      secret_prefix: tokenPrefix(secret),
      secret_last4: secret.slice(-4),
    },
  };
}

export const auditView = (row: NamedAiKey): Json => ({
  name: row.name,
  hint: `${row.secret_prefix}…${row.secret_last4}`,
  models: row.models,
  requests_per_minute: row.requests_per_minute,
  tokens_per_minute: row.tokens_per_minute,
  budget: row.budget_micros === null ? null : formatMicros(row.budget_micros),
  budget_period: row.budget_period,
  expires_at: row.expires_at?.toISOString() ?? null,
});

export const auditOf = (row: NamedAiKey, action: string): AuditEntry => ({
  action: `ai_key.${action}`,
  target_kind: 'ai_key',
  target_id: row.public_id,
});
