import { permissions } from '../../../generated/api/permissions.gen';
import type { TeamRole } from '../../../generated/api/types.gen';
import { scopeName } from '../../api/scopes';
import { TEAM_ROLES } from '../../api/roles';

export interface PermissionRow {
  permission: string;
  /** A sentence. */
  what: string;
  roles: ReadonlySet<TeamRole>;
  /** The scope a token needs for it; null when only a person may. */
  scope: string | null;
}

/**
 * What is decided by the role in a team: the server's own table, as it was generated from the API's document. What
 * everybody signed in may do, and what staff of the platform may, is no matter of teams.
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

/** Rows in which every word is found: in the sentence, the permission's name or the scope's. */
export function findRows(rows: readonly PermissionRow[], query: string): readonly PermissionRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ permission, what, scope }) => {
    const text =
      `${permission} ${what} ${scope ?? ''} ${scope === null ? '' : scopeName(scope)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
