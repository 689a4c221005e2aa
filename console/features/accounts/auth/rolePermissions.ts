import { permissions } from '../../../../generated/api/permissions.gen';
import type { TeamRole } from '../../../../generated/api/types.gen';

/** Returns what a team role can do, in the wording of the API document's permission table. */
export function rolePermissions(role: TeamRole): string[] {
  return Object.values(permissions).flatMap((permission) => {
    const roles: readonly string[] = permission.roles;
    return roles.includes(role) ? [permission.description] : [];
  });
}
