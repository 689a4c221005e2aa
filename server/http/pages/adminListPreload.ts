import type { Request } from 'express';
import { adminLists } from '../../../generated/api/adminLists.gen';
import { findSession } from '../../db/accounts/sessions';
import { permissionsOfStaff } from '../../domain/teams/permissions';
import { sessionCookieName } from '../../domain/accounts/sessionCookie';
import { hashToken, isWellFormedToken } from '../../domain/teams/token';
import type { Services } from '../../operations/types';
import { readCookie } from '../cookies';
import { ownValue } from '../../../console/lib/ownValue';

/**
 * Returns the first request of the admin list at this path, for the browser to preload while the page's code
 * loads. Only requests that this user may make: a refusal would show up in the browser's console.
 */
export async function firstRows(services: Services, req: Request): Promise<string | undefined> {
  const list = ownValue(adminLists, req.path);
  // A query makes it a different list.
  if (!list || req.url.includes('?')) return undefined;
  const token = readCookie(req, sessionCookieName(services.config.publicUrl));
  if (!token || !isWellFormedToken(token)) return undefined;
  const found = await findSession(services.db, hashToken(token), null);
  const staff = found && found.view_as === null ? permissionsOfStaff(found.user.platform_role) : [];
  return (staff as readonly string[]).includes(list.permission) ? list.request : undefined;
}
