import { permissions, type Permission } from '../../generated/api/permissions.gen';

export interface Subject {
  kind: 'anonymous' | 'session' | 'token';
  team_role: string | null;
  platform_role: string | null;
  scopes: readonly string[];
}

export type Decision = 'allowed' | 'unauthenticated' | 'forbidden' | 'scope';

/** The one place that decides. The table is the document's `x-permissions`; screens read the same table. */
export function decide(permission: Permission, subject: Subject): Decision {
  const entry: { roles: readonly string[]; scope?: string } = permissions[permission];
  if (entry.roles.includes('public')) return 'allowed';
  if (subject.kind === 'anonymous') return 'unauthenticated';
  const roleFits =
    entry.roles.includes('signed_in') ||
    (subject.team_role !== null && entry.roles.includes(subject.team_role)) ||
    (subject.platform_role !== null && entry.roles.includes(`platform:${subject.platform_role}`));
  if (!roleFits) return 'forbidden';
  if (subject.kind === 'token' && !scopeCovers(subject.scopes, entry.scope)) return 'scope';
  return 'allowed';
}

/** Whether the permission comes from a role in a team, and so is about that team. */
export function isOfTeam(permission: Permission): boolean {
  const roles: readonly string[] = permissions[permission].roles;
  return roles.some((role) => TEAM_ROLES.has(role));
}

const TEAM_ROLES: ReadonlySet<string> = new Set(['viewer', 'member', 'billing', 'admin', 'owner']);

/**
 * `cvms:*` covers `cvms:read`; `*` covers all but the platform's own `admin:*`, which must be named. `session` is for
 * people at the screen: no token has it.
 */
export function scopeCovers(scopes: readonly string[], wanted: string | undefined): boolean {
  if (!wanted) return true;
  if (wanted === 'session') return false;
  const [area = ''] = wanted.split(':');
  return scopes.some(
    (scope) => scope === wanted || scope === `${area}:*` || (scope === '*' && area !== 'admin'),
  );
}

/** Every permission a person with these roles has; sent to the screens so that they disable with a reason. */
export function permissionsOf(team_role: string | null, platform_role: string | null): Permission[] {
  const subject: Subject = { kind: 'session', team_role, platform_role, scopes: [] };
  return (Object.keys(permissions) as Permission[]).filter((name) => decide(name, subject) === 'allowed');
}
