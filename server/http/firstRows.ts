import type { Request } from 'express';
import { adminLists } from '../../generated/api/adminLists.gen';
import { findSession } from '../db/sessions';
import { permissionsOfStaff } from '../domain/permissions';
import { sessionCookieName } from '../domain/sessionCookie';
import { hashToken, isWellFormedToken } from '../domain/token';
import type { Services } from '../operations/types';
import { readCookie } from './cookies';

/**
 * What the page at this address asks for as soon as its code has come, for the browser to ask at once: the rows of a list
 * of the admin area. Only what will be answered to this person, as a refusal would stand in the browser's console.
 */
export async function firstRows(services: Services, req: Request): Promise<string | undefined> {
  const list = adminLists[req.path];
  // A query makes it another list.
  if (!list || req.url.includes('?')) return undefined;
  const token = readCookie(req, sessionCookieName(services.config.publicUrl));
  if (!token || !isWellFormedToken(token)) return undefined;
  const found = await findSession(services.db, hashToken(token), null);
  const staff = found && found.view_as === null ? permissionsOfStaff(found.user.platform_role) : [];
  return (staff as readonly string[]).includes(list.permission) ? list.request : undefined;
}
