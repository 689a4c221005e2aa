// Addresses of the console's pages, in one place: screens link by these.

const segment = encodeURIComponent;

export type CvmTab = 'logs' | 'events' | 'compose' | 'settings';

export const teamPath = (team: string) => `/${segment(team)}`;
export const deployPath = (team: string) => `/${segment(team)}/deploy`;
export const appPath = (team: string, appId: string) => `/${segment(team)}/apps/${segment(appId)}`;
/** Without a tab, the overview. */
export const cvmPath = (team: string, vmUuid: string, tab?: CvmTab) =>
  `/${segment(team)}/cvms/${segment(vmUuid)}${tab === undefined ? '' : `/${tab}`}`;

/** `next` comes back after signing in. */
export const loginPath = (next?: string) => withNext('/login', next);
export const registerPath = (next?: string) => withNext('/register', next);

function withNext(path: string, next: string | undefined): string {
  return next === undefined || next === '/' ? path : `${path}?next=${segment(next)}`;
}

/**
 * Where to go after signing in: the path if it is one of this site, else undefined. Refuses everything a browser could
 * read as another origin: "//host", "/\host", "/%09/host" after decoding, "javascript:…".
 */
export function safeNext(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/') || next.length > 2000) return undefined;
  // Browsers drop tabs and newlines and read "\" as "/".
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(next)) return undefined;
  const base = 'http://console.invalid';
  let url: URL;
  try {
    url = new URL(next, base);
  } catch {
    return undefined;
  }
  if (url.origin !== base || next.startsWith('//')) return undefined;
  const path = url.pathname + url.search + url.hash;
  // Dot segments may leave a leading "//" behind ("/.//host").
  if (path.startsWith('//')) return undefined;
  // Back to a sign-in page would be a loop.
  return /^\/(login|register)(\/|$|\?|#)/.test(path) ? undefined : path;
}
