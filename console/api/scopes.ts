import { permissions } from '../../generated/api/permissions.gen';
import type { TeamRole, TokenScope } from '../../generated/api/types.gen';
import { ownValue } from '../lib/ownValue';

/** Describes what a token with this scope can do. */
const words: Record<string, string> = {
  '*': 'Everything your role in the team allows, including future permissions',
  'user:profile': 'View your profile, teams, team members and SSH keys; add and remove SSH keys',
  'cvms:*': 'View, deploy, change, start, stop and delete the team’s apps and CVMs, and read their logs',
  'nodes:*': 'View the hosts available to the team',
  'audit:read': 'Read and export the team’s audit log',
  'webhooks:*': 'Create, change, test and delete the team’s webhooks, and view their deliveries',
  'admin:read': 'View the admin area of the whole platform',
  'admin:*': 'Change nodes, teepods and prices of the whole platform',
};

/** An unknown scope is returned unchanged. */
export const describeScope = (scope: string): string => ownValue(words, scope) ?? scope;

/** Short names for tables. */
const short: Record<string, string> = {
  '*': 'Everything',
  'user:profile': 'Profile',
  'cvms:*': 'Apps and CVMs',
  'nodes:*': 'Hosts',
  'audit:read': 'Audit log',
  'webhooks:*': 'Webhooks',
  'admin:read': 'Admin area, read-only',
  'admin:*': 'Admin area',
};
export const scopeName = (scope: string): string => ownValue(short, scope) ?? scope;

/** Whether the scope reaches beyond the team and deserves a warning. */
export const isPlatformScope = (scope: string): boolean => scope.startsWith('admin:') || scope === '*';

/** Scopes available for tokens, broadest last. */
export const TOKEN_SCOPES = [
  'cvms:*',
  'nodes:*',
  'audit:read',
  'webhooks:*',
  'user:profile',
  '*',
] as const satisfies readonly TokenScope[];

/**
 * Returns whether the scope allows anything for this role, and the permissions the role lacks. A token never exceeds its
 * owner's role.
 */
export function scopeUse(scope: string, role: TeamRole): { usable: boolean; lacking: string[] } {
  if (scope === '*') return { usable: true, lacking: [] };
  const inside = Object.values(permissions).filter((rule) => 'scope' in rule && rule.scope === scope);
  const allowed = (rule: (typeof inside)[number]) => {
    const roles: readonly string[] = rule.roles;
    return roles.includes('signed_in') || roles.includes(role);
  };
  return {
    usable: inside.some(allowed),
    lacking: inside.filter((rule) => !allowed(rule)).map((rule) => rule.description),
  };
}
