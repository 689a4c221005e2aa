import { permissions } from '../../generated/api/permissions.gen';
import type { TeamRole, TokenScope } from '../../generated/api/types.gen';

/** What a token with this scope can do, in words. */
const words: Record<string, string> = {
  '*': 'Everything your role in the team allows, now and later',
  'user:profile': 'See who you are, your teams, their members and your SSH keys; add and remove SSH keys',
  'cvms:*': 'See, deploy, change, start, stop and delete the team’s apps and CVMs, and read their logs',
  'nodes:*': 'See the hosts the team can deploy on',
  'audit:read': 'Read and export the team’s audit log',
  'webhooks:*': 'Make, change, test and delete the team’s webhooks, and see what was delivered to them',
  'admin:read': 'Read the admin area of the whole platform',
  'admin:*': 'Change nodes, teepods and prices of the whole platform',
};

/** An unknown scope is shown as it is. */
export const scopeInWords = (scope: string): string => words[scope] ?? scope;

/** A word or two for tables. */
const short: Record<string, string> = {
  '*': 'Everything',
  'user:profile': 'Profile',
  'cvms:*': 'Apps and CVMs',
  'nodes:*': 'Hosts',
  'audit:read': 'Audit log',
  'webhooks:*': 'Webhooks',
  'admin:read': 'Admin area, reading',
  'admin:*': 'Admin area',
};
export const scopeName = (scope: string): string => short[scope] ?? scope;

/** Reaches beyond the team: worth a second look. */
export const isPlatformScope = (scope: string): boolean => scope.startsWith('admin:') || scope === '*';

/** Scopes one can give a token, broadest last. */
export const TOKEN_SCOPES = [
  'cvms:*',
  'nodes:*',
  'audit:read',
  'webhooks:*',
  'user:profile',
  '*',
] as const satisfies readonly TokenScope[];

/**
 * Whether a token of somebody in this role could do anything with the scope; what its owner may not do, it may not
 * either.
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
