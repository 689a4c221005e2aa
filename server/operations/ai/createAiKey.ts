import { countLiveAiKeys, insertAiKey, revokeOldPlaygroundKeys } from '../../db/ai/aiKeys';
import { aiKeyOut } from '../../domain/ai/aiResponse';
import { Problem } from '../../domain/core/problem';
import { publicId } from '../../domain/core/publicId';
import { holdTeam, userOf } from '../core/caller';
import { requireVerified } from '../core/requireVerified';
import { checkedName } from '../teams/names';
import type { Handler } from '../types';
import { auditOf, auditView, budgetOf, checkedModels, holdAiKey, newAiSecret } from './aiKey';

const MAX_KEYS = 100;
const MAX_PLAYGROUND_KEYS = 5;
const PLAYGROUND_HOURS = 1;
const HOUR_MS = 3_600_000;

export const createAiKey: Handler<'createAiKey'> = async ({ body, ctx }) => {
  requireVerified(ctx);
  const name = checkedName(body.name);
  const models = await checkedModels(ctx, body.models);
  const budget_micros = budgetOf(body.budget);
  const purpose = body.purpose ?? 'program';
  const hours = purpose === 'playground' ? PLAYGROUND_HOURS : body.expires_in_hours;
  const { secret, stored } = newAiSecret();
  const public_id = publicId('aik');
  return ctx.write(async ({ trx, audit }) => {
    // Locked, so that concurrent requests count each other's keys.
    const { team } = await holdTeam(trx, ctx, 'ai.write');
    if (purpose === 'program' && (await countLiveAiKeys(trx, team.id)) >= MAX_KEYS)
      throw new Problem('AI_KEY_LIMIT', {
        message: `${team.name} has reached the limit of ${MAX_KEYS} AI keys.`,
      });
    await insertAiKey(trx, {
      ...stored,
      public_id,
      team_id: team.id,
      name,
      purpose,
      models,
      requests_per_minute: body.requests_per_minute ?? null,
      tokens_per_minute: body.tokens_per_minute ?? null,
      budget_micros,
      budget_period: body.budget_period ?? 'month',
      created_by: userOf(ctx).id,
      expires_at: hours ? new Date(Date.now() + hours * HOUR_MS) : null,
    });
    const row = await holdAiKey(trx, ctx, public_id);
    await audit({ ...auditOf(row, 'create'), after: auditView(row) });
    if (purpose === 'playground') {
      const owner = { team_id: team.id, created_by: userOf(ctx).id };
      for (const target_id of await revokeOldPlaygroundKeys(trx, { ...owner, keep: MAX_PLAYGROUND_KEYS }))
        await audit({ action: 'ai_key.revoke', target_kind: 'ai_key', target_id });
    }
    return { status: 201, body: { secret, key: aiKeyOut(row) } } as const;
  });
};
