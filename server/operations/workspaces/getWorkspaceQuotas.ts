import { reservedGpus } from '../../db/gpus';
import { teamUsage } from '../../db/reservations';
import { quotasOut } from '../../domain/wire/team';
import { membershipOf } from '../shared/caller';
import type { Handler } from '../types';

export const getWorkspaceQuotas: Handler<'getWorkspaceQuotas'> = async ({ ctx }) => {
  const team = await membershipOf(ctx);
  const [used, gpus] = await Promise.all([teamUsage(ctx.db, team.id), reservedGpus(ctx.db, team.id)]);
  return { status: 200, body: quotasOut(team, used, gpus, new Date()) };
};
