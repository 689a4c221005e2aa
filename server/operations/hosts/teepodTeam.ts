import { findTeamBySlug } from '../../db/hosts/teepodTeams';
import type { Call, Write } from '../types';
import { invalid } from '../core/invalid';
import { teamsReply } from './listTeepodTeams';
import { lockTeepodOr404 } from './teepod';

/** Grants a teepod to a team or revokes it; existing CVMs stay. */
export async function changeTeepodTeam(
  { trx, audit }: Write,
  { path, body }: Pick<Call<'allowTeepodTeam'>, 'path' | 'body'>,
  what: 'allow' | 'disallow',
) {
  const teepod = await lockTeepodOr404(trx, path.id);
  const team = await findTeamBySlug(trx, body.team_slug);
  if (!team) throw invalid('team_slug', `There is no team “${body.team_slug}”.`);
  const pair = { teepod_id: teepod.id, team_id: team.id };
  if (what === 'allow')
    await trx
      .insertInto('teepod_teams')
      .values(pair)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await trx
      .deleteFrom('teepod_teams')
      .where('teepod_id', '=', pair.teepod_id)
      .where('team_id', '=', pair.team_id)
      .execute();
  await audit({
    action: `teepod.${what}_team`,
    target_kind: 'teepod',
    target_id: String(teepod.id),
    after: { team: team.slug },
  });
  return teamsReply(trx, teepod.id);
}
