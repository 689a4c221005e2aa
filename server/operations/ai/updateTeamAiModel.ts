import { changeTeamModel } from '../../db/ai/teamModels';
import { teamModelOut, teamModelVersion } from '../../domain/ai/teamModelResponse';
import { nextVersion } from '../core/admin/change';
import { holdTeam } from '../core/caller';
import { checkIfMatch } from '../core/ifMatch';
import { checkTexts } from '../core/text';
import { checkedName } from '../teams/names';
import type { Handler } from '../types';
import { auditOf, auditView, holdTeamModel } from './teamModel';

export const updateTeamAiModel: Handler<'updateTeamAiModel'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['description']);
  const { name, ...rest } = body;
  const change = { ...rest, ...(name === undefined ? {} : { name: checkedName(name) }) };
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'ai.write');
    const before = await holdTeamModel(trx, ctx, path.ai_model_id);
    await checkIfMatch(ctx, trx, {
      version: teamModelVersion,
      row: before,
      etag: teamModelOut(before).etag,
      team_id: team.id,
      target_id: before.public_id,
      actions: ['ai_model.update'],
      name: before.name,
    });
    await changeTeamModel(trx, before, { ...change, updated_at: nextVersion(before) });
    const after = await holdTeamModel(trx, ctx, before.public_id);
    await audit({ ...auditOf(after, 'update'), before: auditView(before), after: auditView(after) });
    const changed = teamModelOut(after);
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};
