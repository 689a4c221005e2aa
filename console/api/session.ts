import { useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import type { permissions } from '../../generated/api/permissions.gen';
import type { Session, SessionTeam } from '../../generated/api/types.gen';
import { isStaffAddress } from '../lib/paths';
import { sessionOptions } from './auth';

export { sessionOptions };

export const useSession = (): Session => useSuspenseQuery(sessionOptions()).data;

/** Asks again who is signed in, after signing in or out or making a team. */
export function refreshSession(queryClient: QueryClient): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionOptions(), staleTime: 0 });
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

/** The team that had this address before, if it is one of the person's. */
export const findFormerTeam = (session: Session, slug: string): SessionTeam | undefined =>
  session.teams.find((team) => team.former_slugs.includes(slug));

export interface May {
  allowed: boolean;
  /** Why not, for the disabled control; undefined when allowed. */
  reason: string | undefined;
}

/** Whether the person may do this in this team: the server's own table, asked before showing a control as usable. */
export function useMay(permission: Permission, teamSlug: string): May {
  const session = useSession();
  if (isStaffAddress(location.pathname)) return mayStaff(session, permission);
  const team = findTeam(session, teamSlug);
  if (!team) throw new Error(`No team ${teamSlug} in this session.`);
  if (team.permissions.includes(permission)) return { allowed: true, reason: undefined };
  return {
    allowed: false,
    reason: `Your role in ${team.name} (${team.role}) does not allow this. An owner or admin of the team can change it.`,
  };
}

/** As platform staff, in whichever team. */
function mayStaff({ platform_permissions, platform_role }: Session, permission: Permission): May {
  if (platform_permissions.includes(permission)) return { allowed: true, reason: undefined };
  return {
    allowed: false,
    reason: `Your platform role (${platform_role ?? 'none'}) does not allow this in a team of others.`,
  };
}

/** Whether the person may deploy in this team: by their role, and once their address is confirmed. */
export function useMayDeploy(teamSlug: string): May {
  const may = useMay('cvms.write', teamSlug);
  const { user } = useSession();
  if (!may.allowed || user?.email_verified !== false) return may;
  return {
    allowed: false,
    reason: `Confirm your e-mail address first: open the link that was mailed to ${user.email}, or have it sent again.`,
  };
}
