import { deleteTeamModel } from '../../db/ai/teamModels';
import { teamModelOut } from '../../domain/ai/teamModelResponse';
import { Problem } from '../../domain/core/problem';
import { holdTeam } from '../core/caller';
import type { Handler } from '../types';
import { auditOf, auditView, holdTeamModel } from './teamModel';

export const withdrawTeamAiModel: Handler<'withdrawTeamAiModel'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    await holdTeam(trx, ctx, 'ai.write');
    const row = await holdTeamModel(trx, ctx, path.ai_model_id);
    // Otherwise the team could publish it again.
    if (teamModelOut(row).state === 'disabled')
      throw new Problem('IN_USE', {
        message: `An administrator of this server disabled “${row.name}”, so it can't be withdrawn.`,
        suggestions: ['Ask them to delete it.'],
      });
    await deleteTeamModel(trx, row);
    await audit({ ...auditOf(row, 'delete'), before: auditView(row) });
    return { status: 204 } as const;
  });
