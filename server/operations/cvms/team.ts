import type { CallerTeam } from '../../domain/caller';
import { Problem } from '../../domain/problem';
import type { Context } from '../types';

/** The team the request is about. Permission has been checked, so there is one; the type does not know. */
export function teamOf(ctx: Context): CallerTeam {
  if (!ctx.caller.team) throw new Problem('FORBIDDEN', { message: 'You belong to no team yet.' });
  return ctx.caller.team;
}
