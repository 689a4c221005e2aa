import { useQuery } from '@tanstack/react-query';
import type { Workspace, WorkspacePage } from '../../generated/api/types.gen';
import { ownValue } from '../../console/lib/ownValue';
import { fetchJson } from '../http';
import { importWithRetry } from '../../console/lib/importWithRetry';

/** Maximum teams loaded: the list's largest page size. */
const MAX_TEAMS = 100;

/** Returns the slugs of the teams in which the user has one of these roles. */
export const slugsWithRole = (
  teams: readonly Pick<Workspace, 'slug' | 'role'>[],
  roles: readonly string[],
): string[] => teams.filter(({ role }) => roles.includes(role)).map(({ slug }) => slug);

/** Returns the slugs of the user's teams in which their role has a permission; undefined while loading. */
export function useOwnTeams(permission: string | undefined): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ['own-teams', permission],
    enabled: permission !== undefined,
    queryFn: async () => {
      const [{ json }, { permissions }] = await Promise.all([
        fetchJson(`/api/v1/workspaces?limit=${MAX_TEAMS}`),
        importWithRetry(() => import('../../generated/api/permissions.gen')),
      ]);
      const roles = ownValue<{ roles: readonly string[] }>(permissions, permission ?? '')?.roles ?? [];
      return slugsWithRole((json as WorkspacePage).data, roles);
    },
  });
  return data;
}
