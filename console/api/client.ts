import { client } from '../../generated/api/client.gen';
import { NEWEST_VERSION, VERSION_HEADER } from '../lib/apiVersion';
import { withFirstResponses, type FirstResponses } from '../lib/firstResponses';
import { withConnection } from '../lib/connection';
import { isStaffAddress } from '../lib/paths';
import { withResend } from '../lib/resend';
import { toApiError } from './apiError';
import { withStepUp } from './stepUp';

const TEAM_HEADER = 'X-Workspace';
const STAFF_HEADER = 'X-Admin-Workspace';

declare global {
  interface Window {
    /** Set by pageStart.js. */
    firstResponses?: FirstResponses;
  }
}

/**
 * Configures the generated client; called once, before the first request. `isTeam` returns whether a first path
 * segment is one of the user's teams.
 */
export function configureClient(isTeam: (slug: string) => boolean): void {
  // fetch is looked up per call, like the generated client does.
  const fetchNow: typeof fetch = (...args) => globalThis.fetch(...args);
  const send = withStepUp(withResend(withConnection(withFirstResponses(fetchNow, window.firstResponses))));
  client.setConfig({
    credentials: 'same-origin',
    fetch: send,
    headers: { [VERSION_HEADER]: NEWEST_VERSION },
  });
  client.interceptors.error.use((error, response) => toApiError(error, response));
  // Queries name their team explicitly (`inTeam`), because it belongs in their key. This covers requests that
  // don't, which would silently act on the default team instead of the one on screen.
  client.interceptors.request.use((request) => {
    const first = location.pathname.split('/')[1] ?? '';
    // The session request names no team: removed members must still be able to find out that they were removed.
    const ofTheTeam = !/\/api\/v1\/session(\/|$)/.test(new URL(request.url).pathname);
    if (ofTheTeam && !request.headers.has(TEAM_HEADER) && isTeam(first))
      request.headers.set(TEAM_HEADER, first);
    return isStaffAddress(location.pathname) ? asStaff(request) : request;
  });
}

/** Marks a request for another team as coming from platform staff. */
function asStaff(request: Request): Request {
  const team = request.headers.get(TEAM_HEADER);
  if (team === null) return request;
  request.headers.delete(TEAM_HEADER);
  request.headers.set(STAFF_HEADER, team);
  return request;
}

/** Query parameter equivalent for EventSource, which sends no headers. */
export const streamTeam = (slug: string): string =>
  `${isStaffAddress(location.pathname) ? 'admin_workspace' : 'workspace'}=${encodeURIComponent(slug)}`;

/** Options that direct a request to this team and give its query a separate key: `listAppsOptions({ ...inTeam(slug) })`. */
export function inTeam(slug: string): { headers: { 'X-Workspace': string } } {
  return { headers: { [TEAM_HEADER]: slug } };
}
