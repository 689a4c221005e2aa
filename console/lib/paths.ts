// Addresses of the console's pages, in one place: screens link by these.

const segment = encodeURIComponent;

export type CvmTab = 'logs' | 'events' | 'compose' | 'settings';

export const teamPath = (team: string) => `/${segment(team)}`;
export const deployPath = (team: string) => `/${segment(team)}/deploy`;
export type MembersTab = 'roles' | 'security' | 'audit' | 'settings';
/** Without a tab, the people. */
export const membersPath = (team: string, tab?: MembersTab) =>
  `/${segment(team)}/members${tab === undefined ? '' : `?tab=${tab}`}`;
export const tokensPath = (team: string) => `/${segment(team)}/tokens`;

export type AccountSection = 'security' | 'sessions' | 'ssh-keys' | 'data';
/** Without a section, the profile. */
export const accountPath = (section?: AccountSection) =>
  `/account/settings${section === undefined ? '' : `?section=${section}`}`;

export const appPath = (team: string, appId: string) => `/${segment(team)}/apps/${segment(appId)}`;
/** Without a tab, the overview. */
export const cvmPath = (team: string, vmUuid: string, tab?: CvmTab) =>
  `/${segment(team)}/cvms/${segment(vmUuid)}${tab === undefined ? '' : `/${tab}`}`;

/** `next` comes back after signing in. */
export const loginPath = (next?: string) => withNext('/login', next);
export const registerPath = (next?: string) => withNext('/register', next);
export const twoFactorPath = (next?: string) => withNext('/two-factor', next);
export const resetPasswordPath = '/reset-password';
export const invitePath = (token: string) => `/invite/${segment(token)}`;

function withNext(path: string, next: string | undefined): string {
  return next === undefined || next === '/' ? path : `${path}?next=${segment(next)}`;
}

/**
 * Where to go after signing in: the path if it is one of this site, else undefined. Refuses everything a browser could
 * read as another origin: "//host", "/\host", "/%09/host" after decoding, "javascript:…". Also refuses what only
 * becomes one when some layer decodes it once more ("/%2F/host", "/%5Chost", "/%252Fhost").
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
  if (path.startsWith('//') || !staysHere(url.pathname, base)) return undefined;
  // Back to a sign-in page would be a loop.
  return /^\/(login|register|two-factor)(\/|$|\?|#)/.test(path) ? undefined : path;
}

/** Whether a path is one of this site however often it is decoded. */
function staysHere(path: string, base: string): boolean {
  for (let decoded = path, rounds = 0; rounds < 3; rounds += 1) {
    let next: string;
    try {
      next = decodeURIComponent(decoded);
      if (new URL(next, base).origin !== base) return false;
    } catch {
      // No browser and no server decodes "%" without digits.
      return rounds > 0;
    }
    // oxlint-disable-next-line no-control-regex
    if (/^\/[/\\]/.test(next.replace(/[\u0000-\u0020\u007f]/g, ''))) return false;
    if (next === decoded) return true;
    decoded = next;
  }
  // Encoded again and again: nothing of ours is.
  return false;
}
