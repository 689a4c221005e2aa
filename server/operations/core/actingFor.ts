import type { CallerTeam } from '../../domain/core/caller';
import type { Context } from '../types';

/**
 * Returns the context of a request of staff that acts for a team: within the team's limits and with its money, and its log
 * shows them. What the request writes of its own is in the platform's log if it says so.
 */
export const actingFor = (ctx: Context, team: CallerTeam): Context => ({
  ...ctx,
  caller: { ...ctx.caller, team, as_staff: true },
  write: (work) =>
    ctx.write((write) => work({ ...write, audit: (entry) => write.audit({ team_id: team.id, ...entry }) })),
});
