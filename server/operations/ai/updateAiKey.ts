import { changeAiKey } from '../../db/ai/aiKeys';
import { aiKeyOut, aiKeyVersion } from '../../domain/ai/aiResponse';
import { checkIfMatch } from '../core/ifMatch';
import { checkedName } from '../teams/names';
import type { Handler } from '../types';
import { auditOf, auditView, budgetOf, checkedModels, holdAiKey, needLive } from './aiKey';

export const updateAiKey: Handler<'updateAiKey'> = async ({ path, body, ctx }) => {
  const { name, models, budget, ...limits } = body;
  const change = {
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...(models === undefined ? {} : { models: await checkedModels(ctx, models) }),
    ...(budget === undefined ? {} : { budget_micros: budgetOf(budget) }),
    ...limits,
  };
  return ctx.write(async ({ trx, audit }) => {
    const before = await holdAiKey(trx, ctx, path.ai_key_id);
    await checkIfMatch(ctx, trx, {
      version: aiKeyVersion,
      row: before,
      etag: aiKeyOut(before).etag,
      team_id: before.team_id,
      target_id: before.public_id,
      actions: ['ai_key.update', 'ai_key.revoke'],
      name: before.name,
    });
    needLive(before);
    if (Object.keys(change).length > 0) await changeAiKey(trx, before.id, change);
    const after = await holdAiKey(trx, ctx, before.public_id);
    await audit({ ...auditOf(after, 'update'), before: auditView(before), after: auditView(after) });
    const changed = aiKeyOut(after);
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};
