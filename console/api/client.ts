import { client } from '../../generated/api/client.gen';
import { isStaffAddress } from '../lib/paths';
import { withResend } from '../lib/resend';
import { toApiError } from './apiError';
import { withStepUp } from './stepUp';

const TEAM_HEADER = 'X-Workspace';
const STAFF_HEADER = 'X-Admin-Workspace';

/**
 * Called once, before the first request. `isTeam` says whether a first path segment is a team of the person's.
 */
export function configureClient(isTeam: (slug: string) => boolean): void {
  // Looked up at each call, as the generated client would.
  const send = withStepUp(withResend((...args) => globalThis.fetch(...args)));
  client.setConfig({ credentials: 'same-origin', fetch: send });
  client.interceptors.error.use((error, response) => toApiError(error, response));
  // Queries name their team themselves (`inTeam`), because it belongs in their key. This is for a request that
  // forgot: without it, it would silently act on the default team instead of the one on screen.
  client.interceptors.request.use((request) => {
    const first = location.pathname.split('/')[1] ?? '';
    // Who one is, is asked of no team: who was just removed from this one has to learn it.
    const ofTheTeam = !/\/api\/v1\/session(\/|$)/.test(new URL(request.url).pathname);
    if (ofTheTeam && !request.headers.has(TEAM_HEADER) && isTeam(first))
      request.headers.set(TEAM_HEADER, first);
    return isStaffAddress(location.pathname) ? asStaff(request) : request;
  });
}

/** The team that was named is not one of the person's: they come to it as platform staff. */
function asStaff(request: Request): Request {
  const team = request.headers.get(TEAM_HEADER);
  if (team === null) return request;
  request.headers.delete(TEAM_HEADER);
  request.headers.set(STAFF_HEADER, team);
  return request;
}

/** The same for an EventSource, which sends no headers. */
export const streamTeam = (slug: string): string =>
  `${isStaffAddress(location.pathname) ? 'admin_workspace' : 'workspace'}=${encodeURIComponent(slug)}`;

/** Options that make a request act for this team, and give its query a key of its own: `listAppsOptions({ ...inTeam(slug) })`. */
export function inTeam(slug: string): { headers: { 'X-Workspace': string } } {
  return { headers: { [TEAM_HEADER]: slug } };
}

/** A key under which the server makes a thing once, however often the request is repeated. */
export function newIdempotencyKey(): string {
  // crypto.randomUUID exists on https and localhost only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
