import { teamUsage } from '../../db/reservations';
import { quotasOut } from '../../domain/wire/team';
import { membershipOf } from '../shared/caller';
import type { Handler } from '../types';

export const getWorkspaceQuotas: Handler<'getWorkspaceQuotas'> = async ({ ctx }) => {
  const team = await membershipOf(ctx);
  return { status: 200, body: quotasOut(team, await teamUsage(ctx.db, team.id), new Date()) };
};
