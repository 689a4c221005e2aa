import { permissions } from '../../../generated/api/permissions.gen';
import type { TeamRole } from '../../../generated/api/types.gen';

/** What the document's table of permissions gives a role in a team, in its own sentences. */
export function roleMay(role: TeamRole): string[] {
  return Object.values(permissions).flatMap((permission) => {
    const roles: readonly string[] = permission.roles;
    return roles.includes(role) ? [permission.description] : [];
  });
}
