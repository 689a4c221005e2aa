// Addresses of the console's pages, in one place: screens link by these.

const segment = encodeURIComponent;

/** The pages of a CVM beside its overview. */
export type CvmTab =
  | 'certificates'
  | 'compose'
  | 'events'
  | 'kms'
  | 'logs'
  | 'network'
  | 'settings'
  | 'usage'
  /** The agent framework's name, as the server is configured. */
  | `${string}-conf`;

export type AppTab = 'cvms' | 'events' | 'revisions' | 'usage';

export const teamPath = (team: string) => `/${segment(team)}`;
/** Deleted CVMs that can still be restored, on the team's home. */
export const recycleBinPath = (team: string) => `/${segment(team)}?show=bin`;
export const deployPath = (team: string) => `/${segment(team)}/deploy`;
export const launchPath = (team: string) => `/${segment(team)}/launch`;
export type MembersTab = 'roles' | 'security' | 'webhooks' | 'audit' | 'settings';
/** Without a tab, the people. */
export const membersPath = (team: string, tab?: MembersTab) =>
  `/${segment(team)}/members${tab === undefined ? '' : `?tab=${tab}`}`;
export const tokensPath = (team: string) => `/${segment(team)}/tokens`;

export type AccountSection = 'security' | 'sessions' | 'ssh-keys' | 'notifications' | 'data';
/** Without a section, the profile. */
export const accountPath = (section?: AccountSection) =>
  `/account/settings${section === undefined ? '' : `?section=${section}`}`;

/** Without a tab, the overview. */
export const appPath = (team: string, appId: string, tab?: AppTab) =>
  `/${segment(team)}/apps/${segment(appId)}${tab === undefined ? '' : `/${tab}`}`;
/** Without a tab, the overview. */
export const cvmPath = (team: string, vmUuid: string, tab?: CvmTab) =>
  withTab(`/${segment(team)}/cvms/${segment(vmUuid)}`, tab);
/** A replica under its app: the same pages. */
export const appCvmPath = (team: string, appId: string, vmUuid: string, tab?: CvmTab) =>
  withTab(`${appPath(team, appId, 'cvms')}/${segment(vmUuid)}`, tab);

/** The older addresses without a team: the person's default one. */
export const dashboardPath = '/dashboard';
export const dashboardAppCvmsPath = (appId: string) => `/dashboard/apps/${segment(appId)}/cvms`;
/** `identifier` is whatever the API resolves: vm_uuid, `app_…`, `instance_…`, `cvm_…`, number or name. */
export const dashboardCvmPath = (identifier: string, tab?: CvmTab) =>
  withTab(`/dashboard/cvms/${segment(identifier)}`, tab);

/** A CVM of whichever team, for platform staff: the console's pages in the frame of the admin area. */
export const adminCvmPath = (vmUuid: string, tab?: CvmTab) => withTab(`/admin/cvms/${segment(vmUuid)}`, tab);
/** Lists and records of the admin area, which is an app of its own. */
export const adminPath = (...rest: string[]) => ['/admin', ...rest.map(segment)].join('/');
/** Whether an address is one of those where staff come as staff, whatever teams they are in. */
export const isStaffAddress = (path: string): boolean => /^\/admin\/cvms\/[^/?#]/.test(path);

const withTab = (base: string, tab: CvmTab | undefined) => (tab === undefined ? base : `${base}/${tab}`);

/** Where the pages of one CVM were opened: four addresses lead to the same ones. */
export interface CvmAddress {
  by: 'team' | 'app' | 'dashboard' | 'admin';
  teamSlug: string;
  /** What requests and query keys name the CVM by, whatever the address says. */
  vmUuid: string;
  /** Its overview, at the address it was opened by. */
  base: string;
}

/** Another page of the CVM one looks at, at the address it was opened by. */
export function cvmLink(
  { base }: Pick<CvmAddress, 'base'>,
  tab?: CvmTab,
  search: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(search).toString();
  return withTab(base, tab) + (query === '' ? '' : `?${query}`);
}

/** The address in what a route loaded; undefined for routes that are no CVM's. */
export function cvmAddressIn(loaderData: unknown): CvmAddress | undefined {
  if (typeof loaderData !== 'object' || loaderData === null || !('cvm_address' in loaderData))
    return undefined;
  return loaderData.cvm_address as CvmAddress;
}

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
