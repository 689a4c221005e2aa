import type { Request } from 'express';
import { TEAM_HOME_REQUESTS } from '../../../console/lib/teamHomeRequests';
import { findSession } from '../../db/accounts/sessions';
import { sessionCookieName } from '../../domain/accounts/sessionCookie';
import { teamRefusal } from '../../domain/teams/teamRules';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import type { Services } from '../../operations/types';
import { readCookie } from '../cookies';

export interface FirstRequests {
  /** Team of the requests, sent as `X-Workspace`. */
  team: string;
  paths: readonly string[];
}

/**
 * Returns the first requests of a team's home page, for the browser to send while the page's code loads. Only
 * requests the user may make: a refusal would show up in the browser's console.
 */
export async function firstRequests(services: Services, req: Request): Promise<FirstRequests | undefined> {
  // A query selects another page of the list.
  const slug = /^\/([a-z0-9-]+)\/?$/.exec(req.path)?.[1];
  if (slug === undefined || req.url.includes('?')) return undefined;
  const token = readCookie(req, sessionCookieName(services.config.publicUrl));
  if (!token || !isWellFormedToken(token)) return undefined;
  const found = await findSession(services.db, hashToken(token), slug);
  if (!found?.team || teamRefusal(found) !== null) return undefined;
  return { team: slug, paths: TEAM_HOME_REQUESTS };
}
