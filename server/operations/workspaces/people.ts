import type { Tx } from '../../db/client';
import { countOwners, findMember, type MemberRow } from '../../db/members';
import type { TeamRole } from '../../domain/caller';
import { Problem } from '../../domain/problem';
import { memberChangeProblem } from '../../domain/roles';

export const lastOwner = () =>
  new Problem('LAST_OWNER', { message: 'This is the only owner of the team; it needs one.' });

/**
 * The member that somebody in role `actor` is about to make `to` (null: to remove), in a team that is held.
 * @throws NOT_FOUND, FORBIDDEN, LAST_OWNER
 */
export async function memberToChange(
  trx: Tx,
  team_id: number,
  public_id: string,
  change: { actor: TeamRole; you: number; to: TeamRole | null },
): Promise<MemberRow> {
  const member = await findMember(trx, team_id, public_id);
  if (!member) throw new Problem('NOT_FOUND', { message: 'There is no such member in the team.' });
  const problem = memberChangeProblem(change.actor, { from: member.role, to: change.to });
  if (problem !== null) throw new Problem('FORBIDDEN', { message: problem });
  const loses = member.role === 'owner' && change.to !== 'owner';
  if (loses && (await countOwners(trx, team_id)) <= 1) throw lastOwner();
  if (member.user_id === change.you)
    throw new Problem('FORBIDDEN', {
      message: 'Nobody changes or removes themselves here.',
      suggestions: ['Ask another owner or admin, or leave the team.'],
    });
  return member;
}
