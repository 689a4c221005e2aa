import { listTeamModels } from '../../db/ai/teamModels';
import { teamModelOut } from '../../domain/ai/teamModelResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const listTeamAiModels: Handler<'listTeamAiModels'> = async ({ ctx }) => ({
  status: 200,
  body: (await listTeamModels(ctx.db, teamOf(ctx).id)).map(teamModelOut),
});
