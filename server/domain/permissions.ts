import { permissions, type Permission } from '../../generated/api/permissions.gen';
import type { Caller } from './caller';

export interface Subject {
  kind: 'anonymous' | 'session' | 'token';
  team_role: string | null;
  platform_role: string | null;
  scopes: readonly string[];
  /** The team was addressed as platform staff: no role in it and nothing everybody may counts. */
  as_staff?: boolean;
}

/** Who asks, as the table sees them. */
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
 * The one place that decides. The table is the document's `x-permissions`; screens read the same table. A platform role
 * opens what is of a team to staff who say that they come as staff, and adds nothing to what they may as a member.
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

/** Every permission a person with this role in a team has; sent to the screens so that they disable with a reason. */
export const permissionsOf = (team_role: string | null): Permission[] =>
  allowedTo({ kind: 'session', team_role, platform_role: null, scopes: [] });

/** What the platform role adds: the admin area, and what staff may in any team when they come as staff. */
export function permissionsOfStaff(platform_role: string | null): Permission[] {
  const subject: Subject = { kind: 'session', team_role: null, platform_role, scopes: [], as_staff: true };
  return allowedTo(subject).filter(
    (name) => !(permissions[name].roles as readonly string[]).includes('public'),
  );
}

const allowedTo = (subject: Subject): Permission[] =>
  (Object.keys(permissions) as Permission[]).filter((name) => decide(name, subject) === 'allowed');
