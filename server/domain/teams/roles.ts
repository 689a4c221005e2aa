import type { TeamRole } from '../core/caller';

/** Why one member may not change another, in a sentence for them; null when they may. */
export function memberChangeProblem(
  actor: TeamRole,
  change: { from: TeamRole | null; to: TeamRole | null },
): string | null {
  if (actor === 'owner') return null;
  if (actor !== 'admin') return 'Only admins and owners manage members.';
  if (change.to === 'owner') return 'Only an owner can make a member an owner.';
  if (change.from === 'owner') return 'Only an owner can change or remove an owner.';
  return null;
}

/** Whether a member with that role may invite others as `role`. */
export const mayGrant = (actor: TeamRole, role: TeamRole): boolean =>
  memberChangeProblem(actor, { from: null, to: role }) === null;
