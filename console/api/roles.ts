import type { TeamRole } from '../../generated/api/types.gen';

/** From the one who may least to the one who may most; billing stands aside. */
export const TEAM_ROLES = [
  'viewer',
  'billing',
  'member',
  'admin',
  'owner',
] as const satisfies readonly TeamRole[];

const words: Record<TeamRole, { name: string; sentence: string }> = {
  viewer: {
    name: 'Viewer',
    sentence: 'Sees apps, CVMs and logs, but no secrets and no tokens. Changes nothing.',
  },
  billing: {
    name: 'Billing',
    sentence: 'Sees what a viewer sees, and pays: invoices, payment methods, usage.',
  },
  member: {
    name: 'Member',
    sentence: 'Deploys, operates and deletes apps and CVMs; makes API tokens of their own.',
  },
  admin: {
    name: 'Admin',
    sentence: 'All that a member may; also runs the team: people, settings, everybody’s tokens, audit log.',
  },
  owner: {
    name: 'Owner',
    sentence: 'All that an admin may; also makes owners, transfers the team and deletes it.',
  },
};

export const roleName = (role: TeamRole): string => words[role].name;
/** What somebody in this role comes for, in a sentence. */
export const roleSentence = (role: TeamRole): string => words[role].sentence;

/** Roles that somebody in this role may give to others: only owners make owners. */
export const rolesGivenBy = (role: TeamRole): TeamRole[] =>
  TEAM_ROLES.filter((given) => given !== 'owner' || role === 'owner');
