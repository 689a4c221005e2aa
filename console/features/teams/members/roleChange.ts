import type { Invitation, Member, TeamRole } from '../../../../generated/api/types.gen';
import { rolesGivenBy } from '../../../api/roles';

/**
 * Returns why a viewer with this role can't change or remove the member; null if they can. Mirrors the server's check
 * so that the reason shows before the attempt.
 */
export function roleChangeProblem(member: Pick<Member, 'is_you' | 'role'>, mine: TeamRole): string | null {
  if (mine !== 'admin' && mine !== 'owner') return 'Only owners and admins can change roles.';
  if (member.is_you) return 'You can’t change your own role. Ask another owner or admin, or leave the team.';
  if (member.role === 'owner' && mine !== 'owner') return 'Only an owner can change another owner.';
  return null;
}

/** Returns why a viewer with this role can't resend the invitation; null if they can. */
export const resendProblem = ({ role }: Pick<Invitation, 'role'>, mine: TeamRole): string | null =>
  rolesGivenBy(mine).includes(role) ? null : 'Only an owner can invite an owner.';
