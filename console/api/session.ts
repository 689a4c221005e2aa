import { useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import { getSessionOptions, getSessionQueryKey } from '../../generated/api/@tanstack/react-query.gen';
import type { permissions } from '../../generated/api/permissions.gen';
import type { Session, SessionTeam } from '../../generated/api/types.gen';

/** Who is signed in, their teams, what they may do, how the server is set up: asked for once, before the first page. */
export const sessionOptions = () => ({ ...getSessionOptions(), staleTime: 5 * 60_000 });

export const useSession = (): Session => useSuspenseQuery(sessionOptions()).data;

/** Asks again who is signed in, after signing in or out or making a team. */
export function refreshSession(queryClient: QueryClient): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionOptions(), staleTime: 0 });
}

/** After signing out nothing of the person stays in the page's memory. */
export function forgetSession(queryClient: QueryClient): void {
  const key = getSessionQueryKey();
  const session = queryClient.getQueryData<Session>(key);
  queryClient.clear();
  if (session)
    queryClient.setQueryData<Session>(key, {
      ...session,
      user: null,
      teams: [],
      platform_role: null,
      platform_permissions: [],
    });
}

export const findTeam = (session: Session, slug: string): SessionTeam | undefined =>
  session.teams.find((team) => team.slug === slug);

/** Where a signed-in person starts: the team marked as default, else the first. */
export const defaultTeam = (session: Session): SessionTeam | undefined =>
  session.teams.find((team) => team.is_default) ?? session.teams[0];

/** The team of the page. Routes under /$teamSlug exist only for teams of the session. */
export function useTeam(slug: string): SessionTeam {
  const team = findTeam(useSession(), slug);
  if (!team) throw new Error(`No team ${slug} in this session.`);
  return team;
}

export type Permission = keyof typeof permissions;

export interface May {
  allowed: boolean;
  /** Why not, for the disabled control; undefined when allowed. */
  reason: string | undefined;
}

/** Whether the person may do this in this team: the server's own table, asked before showing a control as usable. */
export function useMay(permission: Permission, teamSlug: string): May {
  const team = useTeam(teamSlug);
  if (team.permissions.includes(permission)) return { allowed: true, reason: undefined };
  return {
    allowed: false,
    reason: `Your role in ${team.name} (${team.role}) does not allow this. An owner or admin of the team can change it.`,
  };
}
