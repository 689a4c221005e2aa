import { sql } from 'kysely';
import type { HostConditions } from '../../domain/hosts/placementChecks';
import type { Db } from '../core/client';
import { openToTeam } from './reservations';
import { OPEN_WHEN } from './takesCvms';

/** Returns which conditions of placement other than room a teepod meets for a team; undefined if there is no such teepod. */
export async function hostConditions(
  db: Db,
  { teepod_id, team_id }: { teepod_id: number; team_id: number },
): Promise<HostConditions | undefined> {
  const { rows } = await sql<HostConditions>`
    select t.state as teepod_state, n.state as node_state, ${OPEN_WHEN.teepod_online} as teepod_online,
      ${OPEN_WHEN.node_online} as node_online, ${OPEN_WHEN.reachable} as reachable,
      ${OPEN_WHEN.outside_window} as outside_window, ${openToTeam(team_id)} as open_to_team
    from teepods t join nodes n on n.id = t.node_id where t.id = ${teepod_id}`.execute(db);
  return rows[0];
}
