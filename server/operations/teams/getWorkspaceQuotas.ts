import { reservedGpus } from '../../db/hosts/gpus';
import { teamUsage } from '../../db/hosts/reservations';
import { quotasOut } from '../../domain/teams/teamResponse';
import { membershipOf } from '../core/caller';
import type { Handler } from '../types';

export const getWorkspaceQuotas: Handler<'getWorkspaceQuotas'> = async ({ ctx }) => {
  const team = await membershipOf(ctx);
  const [used, gpus] = await Promise.all([teamUsage(ctx.db, team.id), reservedGpus(ctx.db, team.id)]);
  return { status: 200, body: quotasOut(team, used, gpus, new Date()) };
};
