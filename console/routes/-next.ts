import { notFound, redirect } from '@tanstack/react-router';
import type { Session, SessionTeam } from '../../generated/api/types.gen';
import { ApiError } from '../api/apiError';
import { defaultTeam, type Permission } from '../api/session';
import { loginPath, safeNext, teamPath } from '../lib/paths';

/**
 * The `next` parameter of sign-in pages. The key is always there: the router lays what is validated over the raw
 * address, so a refused value left out would stay.
 */
export function nextOf(search: Record<string, unknown>): { next: string | undefined } {
  return { next: safeNext(search.next) };
}

/** Where a person goes once signed in. */
export function afterSignIn(session: Session, next: string | undefined): string {
  const team = defaultTeam(session);
  return next ?? (team ? teamPath(team.slug) : '/');
}

/** For pages that need a person: sends visitors to sign in and back. */
export function requireUser(session: Session, here: string): void {
  if (session.user === null) throw redirect({ href: loginPath(here), replace: true });
}

/** For pages of platform staff. @throws ApiError 403 for who is none, or may not */
export function requireStaff(session: Session, permission: Permission, here: string): void {
  requireUser(session, here);
  if (!session.platform_permissions.includes(permission))
    throw new ApiError({
      status: 403,
      message: `Your platform role (${session.platform_role ?? 'none'}) does not include ${permission}.`,
    });
}

/** Thrown, so that no page of the team asks for what it would be refused. */
export function requireAdmitted(team: SessionTeam): void {
  if (team.refused !== null)
    throw new ApiError({ status: 403, message: 'The team asks more of your session.' });
}

/** For pages of nobody's address: the person's default team. */
export function requireDefaultTeam(session: Session, here: string): SessionTeam {
  requireUser(session, here);
  const team = defaultTeam(session);
  if (!team) throw notFound();
  requireAdmitted(team);
  return team;
}

/** For sign-in pages: who is signed in already has no business there. */
export function requireVisitor(session: Session, next: string | undefined): void {
  if (session.user !== null && session.teams.length > 0)
    throw redirect({ href: afterSignIn(session, next), replace: true });
}
