// URLs of the console's pages, in one place.

const segment = encodeURIComponent;

/** A CVM's pages besides its overview. */
export type CvmTab =
  | 'certificates'
  | 'compose'
  | 'events'
  | 'kms'
  | 'logs'
  | 'network'
  | 'settings'
  | 'usage'
  /** The configured agent framework's name. */
  | `${string}-conf`;

export type AppTab = 'cvms' | 'events' | 'revisions' | 'usage';

export const teamPath = (team: string) => `/${segment(team)}`;
/** Deleted CVMs that can still be restored, on the team's home page. */
export const recycleBinPath = (team: string) => `/${segment(team)}?show=bin`;
export const deployPath = (team: string) => `/${segment(team)}/deploy`;
export const launchPath = (team: string) => `/${segment(team)}/launch`;
export const MEMBERS_TABS = ['roles', 'security', 'webhooks', 'audit', 'settings'] as const;
export type MembersTab = (typeof MEMBERS_TABS)[number];
/** Without a tab: the member list. */
export const membersPath = (team: string, tab?: MembersTab) =>
  `/${segment(team)}/members${tab === undefined ? '' : `?tab=${tab}`}`;
export const tokensPath = (team: string) => `/${segment(team)}/tokens`;

/**
 * A team's billing page. The path names no team, so it is a parameter; without it, the user's default team is used.
 */
export const billingPath = (team: string) => `/setup-billing?team=${segment(team)}`;
export const debtPath = (team: string) => `/debt-settlement?team=${segment(team)}`;
export const costPath = (team: string) => `/cost?team=${segment(team)}`;
export const ordersPath = (team: string) => `${costPath(team)}&tab=reservations`;
export const usagePath = (team: string) => `/usage?team=${segment(team)}`;
export const transactionsPath = (team: string) => `/transactions?team=${segment(team)}`;
export const invoicesPath = (team: string) => `/transactions?team=${segment(team)}&tab=invoices`;

/** The AI gateway's keys, playground and usage, with the team as above. */
export const aiPath = (team: string) => `/dashboard/confidential-ai-api?team=${segment(team)}`;

/** GPUs available to a team, with the team as above. */
export const gpuPath = (team: string) => `/dashboard/gpu-tee?team=${segment(team)}`;

export const modelDeployPath = (team: string) => `/dashboard/deploy/model?team=${segment(team)}`;

export type AccountSection =
  | 'security'
  | 'sso'
  | 'sessions'
  | 'ssh-keys'
  | 'wallets'
  | 'notifications'
  | 'data';
/** Without a section: the profile. */
export const accountPath = (section?: AccountSection) =>
  `/account/settings${section === undefined ? '' : `?section=${section}`}`;

/** Without a tab: the overview. */
export const appPath = (team: string, appId: string, tab?: AppTab) =>
  `/${segment(team)}/apps/${segment(appId)}${tab === undefined ? '' : `/${tab}`}`;
/** Without a tab: the overview. */
export const cvmPath = (team: string, vmUuid: string, tab?: CvmTab) =>
  withTab(`/${segment(team)}/cvms/${segment(vmUuid)}`, tab);
/** A replica at its app's URL: the same pages. */
export const appCvmPath = (team: string, appId: string, vmUuid: string, tab?: CvmTab) =>
  withTab(`${appPath(team, appId, 'cvms')}/${segment(vmUuid)}`, tab);

/** Older URLs without a team; they use the user's default team. */
export const dashboardPath = '/dashboard';
export const dashboardAppCvmsPath = (appId: string) => `/dashboard/apps/${segment(appId)}/cvms`;
/** `identifier` is anything the API resolves: vm_uuid, `app_…`, `instance_…`, `cvm_…`, number or name. */
export const dashboardCvmPath = (identifier: string, tab?: CvmTab) =>
  withTab(`/dashboard/cvms/${segment(identifier)}`, tab);

/** Any team's CVM, for platform staff: the console's pages inside the admin area. */
export const adminCvmPath = (vmUuid: string, tab?: CvmTab) => withTab(`/admin/cvms/${segment(vmUuid)}`, tab);
/** Lists and records of the admin area, a separate app. */
export const adminPath = (...rest: string[]) => ['/admin', ...rest.map(segment)].join('/');
/** Returns whether staff act as staff at this URL, regardless of their teams. */
export const isStaffAddress = (path: string): boolean => /^\/admin\/cvms\/[^/?#]/.test(path);

const withTab = (base: string, tab: CvmTab | undefined) => (tab === undefined ? base : `${base}/${tab}`);

/** How a CVM's pages were opened: four URLs lead to the same pages. */
export interface CvmAddress {
  by: 'team' | 'app' | 'dashboard' | 'admin';
  teamSlug: string;
  /** Identifies the CVM in requests and query keys, whatever the URL. */
  vmUuid: string;
  /** The overview, at the URL it was opened by. */
  base: string;
}

/** Another page of the current CVM, at the URL it was opened by. */
export function cvmLink(
  { base }: Pick<CvmAddress, 'base'>,
  tab?: CvmTab,
  search: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(search).toString();
  return withTab(base, tab) + (query === '' ? '' : `?${query}`);
}

/** Returns the address loaded by a route; undefined for routes outside a CVM. */
export function cvmAddressIn(loaderData: unknown): CvmAddress | undefined {
  if (typeof loaderData !== 'object' || loaderData === null || !('cvm_address' in loaderData))
    return undefined;
  return loaderData.cvm_address as CvmAddress;
}

/** `next` is opened after signing in. */
export const loginPath = (next?: string) => withNext('/login', next);
/** Sign-in after the session ended elsewhere; the page says so. */
export function endedSessionPath(next: string): string {
  const path = loginPath(next);
  return `${path}${path.includes('?') ? '&' : '?'}ended=true`;
}
/** Sign-in after the user deleted their account; the page says so. */
export const deletedAccountPath = '/login?deleted=true';
export const registerPath = (next?: string) => withNext('/register', next);
export const twoFactorPath = (next?: string) => withNext('/two-factor', next);
export const resetPasswordPath = (next?: string) => withNext('/reset-password', next);
/** Where an existing user confirms a link to a sign-in provider. */
export const linkSsoPath = '/account/link-sso';

/** The token is in the fragment, which browsers send to no server. */
export const breakGlassPath = (token: string) => `/login#break-glass=${token}`;

/** Returns the token in the fragment of such an address. */
export const breakGlassToken = (hash: string): string | null =>
  /^#?break-glass=(thk_lnk_\w+)$/.exec(hash)?.[1] ?? null;
export const invitePath = (token: string) => `/invite/${segment(token)}`;

function withNext(path: string, next: string | undefined): string {
  return next === undefined || next === '/' ? path : `${path}?next=${segment(next)}`;
}

/**
 * Returns the path to open after signing in, if it is on this site; otherwise undefined. Rejects everything a
 * browser could resolve to another origin: "//host", "/\host", "/%09/host" after decoding, "javascript:…". Also
 * rejects paths that only become one when decoded again ("/%2F/host", "/%5Chost", "/%252Fhost").
 */
export function safeNext(next: unknown): string | undefined {
  if (typeof next !== 'string' || !next.startsWith('/') || next.length > 2000) return undefined;
  // Browsers drop tabs and newlines and treat "\" as "/".
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
  // Returning to a sign-in page would loop.
  return /^\/(login|register|two-factor)(\/|$|\?|#)/.test(path) ? undefined : path;
}

/** Returns whether a path stays on this site however often it is decoded. */
function staysHere(path: string, base: string): boolean {
  for (let decoded = path, rounds = 0; rounds < 3; rounds += 1) {
    let next: string;
    try {
      next = decodeURIComponent(decoded);
      if (new URL(next, base).origin !== base) return false;
    } catch {
      // No browser or server decodes "%" without digits.
      return rounds > 0;
    }
    // oxlint-disable-next-line no-control-regex
    if (/^\/[/\\]/.test(next.replace(/[\u0000-\u0020\u007f]/g, ''))) return false;
    if (next === decoded) return true;
    decoded = next;
  }
  // Encoded many times; none of our paths are.
  return false;
}
