import type { Member, TeamRole } from '../../../generated/api/types.gen';

/**
 * Why somebody in this role cannot change this member's role or remove them; null when they can. The server decides;
 * this is what its answer would be, so that nobody has to try.
 */
export function changeFault(member: Pick<Member, 'is_you' | 'role'>, mine: TeamRole): string | null {
  if (mine !== 'admin' && mine !== 'owner') return 'Owners and admins change roles.';
  if (member.is_you) return 'Nobody changes their own role: ask another owner or admin, or leave the team.';
  if (member.role === 'owner' && mine !== 'owner') return 'Only an owner changes an owner.';
  return null;
}
