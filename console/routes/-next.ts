import { notFound, redirect } from '@tanstack/react-router';
import type { Session, SessionTeam } from '../../generated/api/types.gen';
import { ApiError } from '../api/apiError';
import { defaultTeam, findTeam, type Permission } from '../api/session';
import { loginPath, safeNext, teamPath } from '../lib/paths';

/**
 * The `next` parameter of sign-in pages. The key is always present: the router merges validated values over the raw
 * address, so an omitted key would keep a rejected value.
 */
export function nextOf(search: Record<string, unknown>): { next: string | undefined } {
  return { next: safeNext(search.next) };
}

/** Returns the address to open after signing in. */
function afterSignIn(session: Session, next: string | undefined): string {
  const team = defaultTeam(session);
  return next ?? (team ? teamPath(team.slug) : '/');
}

/** Guards pages that need a signed-in user: redirects visitors to sign in and back. */
export function requireUser(session: Session, here: string): void {
  if (session.user === null) throw redirect({ href: loginPath(here), replace: true });
}

/** Guards pages of platform staff. @throws ApiError 403 without the platform permission */
export function requireStaff(session: Session, permission: Permission, here: string): void {
  requireUser(session, here);
  if (!session.platform_permissions.includes(permission))
    throw new ApiError({
      status: 403,
      message: `Your platform role (${session.platform_role ?? 'none'}) does not include ${permission}.`,
    });
}

/** Guards team pages. Throws before the page requests data that the API would refuse. */
export function requireAdmitted(team: SessionTeam): void {
  if (team.refused !== null)
    throw new ApiError({ status: 403, message: 'Your session doesn’t meet this team’s sign-in policy.' });
}

/**
 * Guards pages whose address names no team: returns the user's default team. Users without one are sent to `/` to
 * create it.
 */
export function requireDefaultTeam(session: Session, here: string): SessionTeam {
  requireUser(session, here);
  const team = defaultTeam(session);
  if (!team) throw redirect({ href: '/', replace: true });
  requireAdmitted(team);
  return team;
}

/** Guards pages whose address may name a team in `team`. @returns that team, or the user's default team */
export function requireChosenTeam(session: Session, slug: string | undefined, here: string): SessionTeam {
  requireUser(session, here);
  if (slug === undefined) return requireDefaultTeam(session, here);
  const team = findTeam(session, slug);
  if (!team) throw notFound();
  requireAdmitted(team);
  return team;
}

/** Guards sign-in pages: redirects users who are already signed in. */
export function requireVisitor(session: Session, next: string | undefined): void {
  if (session.user !== null) throw redirect({ href: afterSignIn(session, next), replace: true });
}
