import { teamUsage } from '../../db/reservations';
import { quotasOut } from '../../domain/wire/team';
import { teamOfPath } from '../shared/caller';
import type { Handler } from '../types';

export const getWorkspaceQuotas: Handler<'getWorkspaceQuotas'> = async ({ path, ctx }) => {
  const team = await teamOfPath(ctx, path.slug);
  return { status: 200, body: quotasOut(team, await teamUsage(ctx.db, team.id), new Date()) };
};
