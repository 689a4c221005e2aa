import type { Tx } from '../../db/core/client';
import { countOwners, findMember } from '../../db/teams/members';
import type { TeamRole } from '../../domain/core/caller';
import type { MemberFields } from '../../domain/teams/memberResponse';
import { Problem } from '../../domain/core/problem';
import { memberChangeProblem } from '../../domain/teams/roles';
import { checkOwners } from '../core/owners';
import type { Context } from '../types';

export const lastOwner = () =>
  new Problem('LAST_OWNER', { message: "This is the team's only owner, and a team needs one." });

/**
 * Returns the member that an actor with role `actor` is about to give role `to` (null: remove), in a locked
 * team.
 * @throws NOT_FOUND, FORBIDDEN, LAST_OWNER, IN_USE
 */
export async function memberToChange(
  ctx: Context,
  trx: Tx,
  team_id: number,
  public_id: string,
  change: { actor: TeamRole; you: number; to: TeamRole | null },
): Promise<MemberFields> {
  const member = await findMember(trx, team_id, public_id);
  if (!member) throw new Problem('NOT_FOUND', { message: 'Member not found in this team.' });
  const problem = memberChangeProblem(change.actor, { from: member.role, to: change.to });
  if (problem !== null) throw new Problem('FORBIDDEN', { message: problem });
  const loses = member.role === 'owner' && change.to !== 'owner';
  if (loses && (await countOwners(trx, team_id)) <= 1) throw lastOwner();
  if (member.user_id === change.you)
    throw new Problem('FORBIDDEN', {
      message: "You can't change your own role or remove yourself.",
      suggestions: ['Ask another owner or admin, or leave the team.'],
    });
  if (loses || (change.to === 'owner' && member.role !== 'owner')) await checkOwners(ctx, trx, team_id);
  return member;
}
