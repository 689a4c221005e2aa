import type { CallerTeam } from '../../domain/core/caller';
import type { Context } from '../types';

/**
 * Returns a staff request's context for acting as a team: under the team's limits, with its funds, and recorded
 * in its audit log. Entries with an explicit `team_id` go elsewhere, such as the platform's log.
 */
export const actingFor = (ctx: Context, team: CallerTeam): Context => ({
  ...ctx,
  caller: { ...ctx.caller, team, as_staff: true },
  write: (work) =>
    ctx.write((write) => work({ ...write, audit: (entry) => write.audit({ team_id: team.id, ...entry }) })),
});
