import { permissions } from '../../../../generated/api/permissions.gen';
import type { TeamRole } from '../../../../generated/api/types.gen';
import { scopeName } from '../../../api/scopes';
import { TEAM_ROLES } from '../../../api/roles';

export interface PermissionRow {
  permission: string;
  /** A sentence describing the permission. */
  what: string;
  roles: ReadonlySet<TeamRole>;
  /** The scope a token needs; null if no token can have the permission. */
  scope: string | null;
}

/**
 * The team permissions, generated from the API document like the server's own table. Permissions that every signed-in
 * user has, and those of platform staff, are left out.
 */
export const permissionRows: readonly PermissionRow[] = Object.entries(permissions).flatMap(
  ([permission, rule]) => {
    const names: readonly string[] = rule.roles;
    const roles = TEAM_ROLES.filter((role) => names.includes(role));
    if (roles.length === 0) return [];
    const scope = 'scope' in rule ? rule.scope : undefined;
    return [
      {
        permission,
        what: rule.description,
        roles: new Set<TeamRole>(roles),
        scope: scope === undefined || scope === 'session' ? null : scope,
      },
    ];
  },
);

/** Returns the rows that contain every word of the query in the sentence, permission name or scope. */
export function findRows(rows: readonly PermissionRow[], query: string): readonly PermissionRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ permission, what, scope }) => {
    const text =
      `${permission} ${what} ${scope ?? ''} ${scope === null ? '' : scopeName(scope)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
