import { useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import type { permissions } from '../../generated/api/permissions.gen';
import type { Session, SessionTeam } from '../../generated/api/types.gen';
import { isStaffAddress } from '../lib/paths';
import { confirmAddressText } from '../lib/texts/confirmAddress';
import { NO_HOST } from '../lib/texts/noHost';
import { sessionOptions } from './auth';

export { sessionOptions };

export const useSession = (): Session => useSuspenseQuery(sessionOptions()).data;

/** Refetches the session after signing in or out or creating a team. */
export function refreshSession(queryClient: QueryClient): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionOptions(), staleTime: 0 });
}

export const findTeam = (session: Session, slug: string): SessionTeam | undefined =>
  session.teams.find((team) => team.slug === slug);

/** Returns the team to start in: the default team, else the first. */
export const defaultTeam = (session: Session): SessionTeam | undefined =>
  session.teams.find((team) => team.is_default) ?? session.teams[0];

/** Returns the page's team. Routes under /$teamSlug exist only for teams of the session. */
export function useTeam(slug: string): SessionTeam {
  const team = findTeam(useSession(), slug);
  if (!team) throw new Error(`No team ${slug} in this session.`);
  return team;
}

/**
 * Adds the team's name to a title, "Code redeemed · Acme", for users with several teams: they may have opened
 * another since.
 */
export const titleInTeam = (session: Session, slug: string, title: string): string => {
  const team = session.teams.length > 1 ? findTeam(session, slug) : undefined;
  return team === undefined ? title : `${title} · ${team.name}`;
};

/** Returns `titleInTeam` for a team, for toasts, which stay visible on other pages. */
export function useTitleInTeam(slug: string): (title: string) => string {
  const session = useSession();
  return (title) => titleInTeam(session, slug, title);
}

export type Permission = keyof typeof permissions;

/** Returns what the user may do in a team. A newer server may name further permissions, which nothing here asks about. */
export const permissionsIn = (team: SessionTeam): readonly Permission[] => team.permissions as Permission[];

/** Returns the user's team that formerly had this address, if any. */
export const findFormerTeam = (session: Session, slug: string): SessionTeam | undefined =>
  session.teams.find((team) => team.former_slugs.includes(slug));

export interface May {
  allowed: boolean;
  /** Why not, shown on the disabled control; undefined if allowed. */
  reason: string | undefined;
}

/** Checks a permission in this team against the server's own table, to disable controls before they fail. */
export function useMay(permission: Permission, teamSlug: string): May {
  const session = useSession();
  if (isStaffAddress(location.pathname)) return mayStaff(session, permission);
  const team = findTeam(session, teamSlug);
  if (!team) throw new Error(`No team ${teamSlug} in this session.`);
  if (team.permissions.includes(permission)) return { allowed: true, reason: undefined };
  return {
    allowed: false,
    reason: `Your role in ${team.name} (${team.role}) doesn’t allow this. An owner or admin of the team can change it.`,
  };
}

/** Checks a platform staff permission, which applies in any team. */
function mayStaff({ platform_permissions, platform_role }: Session, permission: Permission): May {
  if (platform_permissions.includes(permission)) return { allowed: true, reason: undefined };
  return {
    allowed: false,
    reason: `Your platform role (${platform_role ?? 'none'}) doesn’t allow this in other teams.`,
  };
}

/** Checks whether the user can deploy in this team: the role, a confirmed address and a host allow it. */
export function useMayDeploy(teamSlug: string): May {
  const may = useMay('cvms.write', teamSlug);
  const session = useSession();
  const { user } = session;
  if (!may.allowed) return may;
  if (user?.email_verified !== false)
    return findTeam(session, teamSlug)?.has_host === false ? { allowed: false, reason: NO_HOST } : may;
  return {
    allowed: false,
    reason: `Confirm your email address first. ${confirmAddressText(session.features.mail, user.email)}`,
  };
}
