import type { TeamRole } from '../../generated/api/types.gen';

/** From least to most privileged; billing is separate. */
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
    sentence: 'Views apps, CVMs and logs, but no secrets or tokens. Can’t change anything.',
  },
  billing: {
    name: 'Billing',
    sentence:
      'Same access as a viewer, plus the balance, transactions, payments and promotion codes. Can’t change apps.',
  },
  member: {
    name: 'Member',
    sentence: 'Deploys, operates and deletes apps and CVMs; creates their own API tokens.',
  },
  admin: {
    name: 'Admin',
    sentence: 'Everything a member can do, plus members, settings, all API tokens and the audit log.',
  },
  owner: {
    name: 'Owner',
    sentence: 'Everything an admin can do, plus adding owners, transferring and deleting the team.',
  },
};

export const roleName = (role: TeamRole): string => words[role].name;
/** Describes the role in one sentence. */
export const roleSentence = (role: TeamRole): string => words[role].sentence;

/** Returns the roles that this role can assign. Only owners can make owners. */
export const rolesGivenBy = (role: TeamRole): TeamRole[] =>
  TEAM_ROLES.filter((given) => given !== 'owner' || role === 'owner');
