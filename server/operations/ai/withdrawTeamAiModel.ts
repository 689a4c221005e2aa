import { deleteTeamModel } from '../../db/ai/teamModels';
import { holdTeam } from '../core/caller';
import type { Handler } from '../types';
import { auditOf, auditView, holdTeamModel } from './teamModel';

export const withdrawTeamAiModel: Handler<'withdrawTeamAiModel'> = ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    await holdTeam(trx, ctx, 'ai.write');
    const row = await holdTeamModel(trx, ctx, path.ai_model_id);
    await deleteTeamModel(trx, row);
    await audit({ ...auditOf(row, 'delete'), before: auditView(row) });
    return { status: 204 } as const;
  });
