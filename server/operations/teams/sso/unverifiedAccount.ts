import { eraseUser, lockTeamsOf, soleTeams } from '../../../db/accounts/accounts';
import type { Tx } from '../../../db/core/client';
import type { UserRow } from '../../../db/accounts/usersTable';
import { endTeam } from '../../../db/teams/teams';
import { sharesTeams } from '../../../db/teams/ssoMembers';
import type { Write } from '../../types';

/**
 * Returns whether the address was never verified and nothing in the account involves others: no platform
 * role, no team with other members, no CVM.
 */
export async function isUnverified(trx: Tx, user: UserRow): Promise<boolean> {
  return user.email_verified_at === null && user.platform_role === null && !(await sharesTeams(trx, user.id));
}

/**
 * Closes an account registered with an address its registrant never proved, so that the address's owner starts with an
 * empty one: anything left in it (teams, keys, a vault) would let the registrant back in.
 */
export async function closeUnverified(trx: Tx, audit: Write['audit'], user: UserRow): Promise<void> {
  await lockTeamsOf(trx, user.id);
  const teams = await soleTeams(trx, user.id);
  for (const team of teams) {
    await endTeam(trx, team.id);
    await audit({ action: 'team.delete', target_kind: 'team', target_id: team.slug, team_id: team.id });
  }
  await eraseUser(trx, user.id);
  await audit({
    action: 'user.disown',
    target_kind: 'user',
    target_id: user.public_id,
    team_id: null,
    before: { email: user.email },
    after: { by: 'sso', teams_deleted: teams.map(({ slug }) => slug) },
  });
}
