import { client } from '../../generated/api/client.gen';
import { toApiError } from './apiError';
import { withStepUp } from './stepUp';

const TEAM_HEADER = 'X-Workspace';

/**
 * Called once, before the first request. `isTeam` says whether a first path segment is a team of the person's.
 */
export function configureClient(isTeam: (slug: string) => boolean): void {
  // Looked up at each call, as the generated client would.
  client.setConfig({ credentials: 'same-origin', fetch: withStepUp((...args) => globalThis.fetch(...args)) });
  client.interceptors.error.use((error, response) => toApiError(error, response));
  // Queries name their team themselves (`inTeam`), because it belongs in their key. This is for a request that
  // forgot: without it, it would silently act on the default team instead of the one on screen.
  client.interceptors.request.use((request) => {
    const first = location.pathname.split('/')[1] ?? '';
    // Who one is, is asked of no team: who was just removed from this one has to learn it.
    const ofTheTeam = !new URL(request.url).pathname.endsWith('/api/v1/session');
    if (ofTheTeam && !request.headers.has(TEAM_HEADER) && isTeam(first))
      request.headers.set(TEAM_HEADER, first);
    return request;
  });
}

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
