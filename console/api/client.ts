import { client } from '../../generated/api/client.gen';
import { isReservedSlug } from '../lib/ids';
import { toApiError } from './apiError';

const TEAM_HEADER = 'X-Workspace';

/** The team of the page at this path, or null on pages of no team. */
export function teamOfPath(pathname: string): string | null {
  const first = pathname.split('/')[1] ?? '';
  return first === '' || isReservedSlug(first) ? null : decodeURIComponent(first);
}

/** Called once, before the first request. */
export function configureClient(): void {
  client.setConfig({ credentials: 'same-origin' });
  client.interceptors.error.use((error, response) => toApiError(error, response));
  // Queries name their team themselves (`inTeam`), because it belongs in their key. This is for a request that
  // forgot: without it, it would silently act on the default team instead of the one on screen.
  client.interceptors.request.use((request) => {
    const team = teamOfPath(location.pathname);
    if (
      team !== null &&
      !request.headers.has(TEAM_HEADER) &&
      !/\/api\/v1\/(session|auth\/)/.test(request.url)
    )
      request.headers.set(TEAM_HEADER, team);
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
