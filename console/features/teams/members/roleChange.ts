import type { Member, TeamRole } from '../../../../generated/api/types.gen';

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
