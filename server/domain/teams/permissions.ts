import { permissions, type Permission } from '../../../generated/api/permissions.gen';
import type { Caller } from '../core/caller';

export interface Subject {
  kind: 'anonymous' | 'session' | 'token';
  team_role: string | null;
  platform_role: string | null;
  scopes: readonly string[];
  /**
   * The team was addressed as platform staff: no team role applies, and neither do the permissions every user
   * has.
   */
  as_staff?: boolean;
}

/** The caller, as the permission table sees it. */
export const subjectOf = ({
  kind,
  team,
  user,
  scopes,
  as_staff,
}: Omit<Caller, 'session' | 'token_id' | 'view_as'>): Subject => ({
  kind,
  team_role: team?.role ?? null,
  platform_role: user?.platform_role ?? null,
  scopes,
  as_staff,
});

export type Decision = 'allowed' | 'unauthenticated' | 'forbidden' | 'scope';

/**
 * The only place that decides permissions. The table is the document's `x-permissions`; screens read the same
 * table. A platform role grants access to teams only to staff who address them as staff, and adds nothing to
 * their permissions as members.
 */
export function decide(permission: Permission, subject: Subject): Decision {
  const entry: { roles: readonly string[]; scope?: string } = permissions[permission];
  if (entry.roles.includes('public')) return 'allowed';
  if (subject.kind === 'anonymous') return 'unauthenticated';
  const by_platform =
    subject.platform_role !== null && entry.roles.includes(`platform:${subject.platform_role}`);
  const roleFits = subject.as_staff
    ? by_platform
    : entry.roles.includes('signed_in') ||
      (subject.team_role !== null && entry.roles.includes(subject.team_role)) ||
      (by_platform && !isOfTeam(permission));
  if (!roleFits) return 'forbidden';
  if (subject.kind === 'token' && !scopeCovers(subject.scopes, entry.scope)) return 'scope';
  return 'allowed';
}

/** Whether the permission comes from a team role and so concerns that team. */
export function isOfTeam(permission: Permission): boolean {
  const roles: readonly string[] = permissions[permission].roles;
  return roles.some((role) => TEAM_ROLES.has(role));
}

/** Whether only platform staff have the permission. */
export const isOfPlatform = (permission: Permission): boolean =>
  (permissions[permission].roles as readonly string[]).every((role) => role.startsWith('platform:'));

const TEAM_ROLES: ReadonlySet<string> = new Set(['viewer', 'member', 'billing', 'admin', 'owner']);

/**
 * `cvms:*` covers `cvms:read`; `*` covers everything except the platform's own `admin:*`, which must be
 * named. `session` is for interactive sessions: no token has it.
 */
function scopeCovers(scopes: readonly string[], wanted: string | undefined): boolean {
  if (!wanted) return true;
  if (wanted === 'session') return false;
  const [area = ''] = wanted.split(':');
  return scopes.some(
    (scope) => scope === wanted || scope === `${area}:*` || (scope === '*' && area !== 'admin'),
  );
}

/** Returns every permission of this team role; screens use it to disable actions with a reason. */
export const permissionsOf = (team_role: string | null): Permission[] =>
  allowedTo({ kind: 'session', team_role, platform_role: null, scopes: [] });

/** Returns the platform role's additions: the admin area, and what staff may do in any team as staff. */
export function permissionsOfStaff(platform_role: string | null): Permission[] {
  const subject: Subject = { kind: 'session', team_role: null, platform_role, scopes: [], as_staff: true };
  return allowedTo(subject).filter(
    (name) => !(permissions[name].roles as readonly string[]).includes('public'),
  );
}

/** Returns the platform roles that have a permission. */
export const staffRolesWith = (permission: Permission): string[] =>
  (permissions[permission].roles as readonly string[])
    .filter((role) => role.startsWith('platform:'))
    .map((role) => role.slice('platform:'.length));

const allowedTo = (subject: Subject): Permission[] =>
  (Object.keys(permissions) as Permission[]).filter((name) => decide(name, subject) === 'allowed');
