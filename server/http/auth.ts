import type { Request } from 'express';
import { cutWhole } from '../../console/lib/texts/cutWhole';
import type { OperationSpec } from '../../generated/api/operations.gen';
import { decide, isOfTeam, subjectOf } from '../domain/teams/permissions';
import { Problem } from '../domain/core/problem';
import { roleRefusal, settingsRefusal, type RoleRefusal } from '../domain/accounts/staffSso';
import { CONFIRMED_SECONDS } from '../domain/accounts/stepUp';
import { teamRefusal } from '../domain/teams/teamRules';
import { hashToken, isWellFormedToken } from '../domain/teams/token';
import { noteTokenUse } from '../db/teams/apiTokens';
import { noteSeen } from '../db/teams/members';
import { findSession, findForeignTeam, type SessionMatch } from '../db/accounts/sessions';
import { findToken } from '../db/teams/tokens';
import type { Caller, CallerTeam, CallerUser, ViewAs } from '../domain/core/caller';
import type { Context, Services } from '../operations/types';
import { sessionCookieName } from '../domain/accounts/sessionCookie';
import { readCookie } from './cookies';
import { checkSsoReach } from './ssoReach';
import { checkViewAs } from './viewAs';

const ANONYMOUS: Caller = {
  kind: 'anonymous',
  user: null,
  team: null,
  scopes: [],
  session: null,
  token_id: null,
  as_staff: false,
  view_as: null,
  via_sso: false,
};

export interface Identity {
  caller: Caller;
  session_token: string | null;
  /** The token's default API version. */
  default_version?: string | null;
}

/**
 * Authenticates the caller. An API token (`X-API-Key`, or `Authorization: Bearer`) is bound to one team. A session
 * cookie acts for the team in the path (`path_slug`), else the one in `X-Workspace`, else the user's default, so the
 * role that is checked is always the role in the affected team. Each takes one indexed query and nothing is cached,
 * so a revoked token or changed role applies to the next request. Staff can name any team with `X-Admin-Workspace`;
 * their own team roles then don't count.
 */
export async function identify(
  services: Services,
  req: Request,
  path_slug: string | null,
): Promise<Identity> {
  const bearer = /^Bearer (.+)$/i.exec(req.get('authorization') ?? '')?.[1];
  const token = req.get('x-api-key') ?? bearer;
  if (token !== undefined) {
    const { caller, default_version } = await tokenCaller(services, req, token.trim());
    if (adminWorkspace(req) !== null)
      throw new Problem('FORBIDDEN', {
        message: 'A token acts for its own team. X-Admin-Workspace requires a signed-in staff session.',
      });
    const named = path_slug ?? req.get('x-workspace') ?? null;
    if (named !== null && caller.team?.slug !== named) throw noSuchTeam(named);
    return { caller, session_token: null, default_version };
  }

  const session_token = readCookie(req, sessionCookieName(services.config.publicUrl));
  if (!session_token || !isWellFormedToken(session_token)) return { caller: ANONYMOUS, session_token: null };
  const staffed = adminWorkspace(req);
  const slug =
    staffed ??
    path_slug ??
    req.get('x-workspace') ??
    (typeof req.query.workspace === 'string' ? req.query.workspace : null);
  // A malformed slug belongs to no team and never reaches the database.
  const found = await findSession(
    services.db,
    hashToken(session_token),
    slug && staffed === null && isSlug(slug) ? slug : null,
  );
  const row = found && withCountingRole(services, req, found.session.auth_method, found);
  // Where a staff role isn't in effect, neither is viewing as a user.
  if (!row || (row.role_refused && row.view_as)) return { caller: ANONYMOUS, session_token: null };
  checkOrigin(services, req);
  if (staffed !== null) {
    const team = await staffTeam(services, row, staffed, path_slug ?? req.get('x-workspace') ?? null);
    return { caller: { ...sessionCaller(row), team, as_staff: true }, session_token };
  }
  if (slug !== null && row.team?.slug !== slug)
    throw row.session.sso_connection_id === null ? noSuchTeam(slug) : beyondSso(slug);
  if (row.team && row.stale_visit) note(services, noteSeen(services.db, row.team.id, row.user.id));
  return { caller: sessionCaller(row), session_token };
}

/** Removes the platform role where it isn't in effect. `auth_method`: null for a token. */
function withCountingRole<T extends { user: CallerUser; view_as?: ViewAs | null }>(
  { config }: Services,
  { ip = '' }: Request,
  auth_method: string | null,
  found: T,
): T & { role_refused: RoleRefusal | null } {
  const isStaff = found.user.platform_role !== null || (found.view_as ?? null) !== null;
  const role_refused = isStaff ? roleRefusal(config, { ip, auth_method }) : null;
  if (role_refused === null) return { ...found, role_refused };
  return { ...found, user: { ...found.user, platform_role: null }, role_refused };
}

type Met = SessionMatch & { role_refused: RoleRefusal | null };

const sessionCaller = ({ user, team, session, view_as, role_refused }: Met): Caller => ({
  kind: 'session',
  user,
  team,
  scopes: ['*', 'admin:*'],
  session,
  token_id: null,
  as_staff: false,
  role_refused,
  view_as,
  via_sso: session.sso_connection_id !== null,
});

const isSlug = (text: string) => /^[\w-]+$/.test(text);

/** Returns the team that staff act on. EventSource sends no headers, so streams take it from the query. */
const adminWorkspace = (req: Request): string | null =>
  req.get('x-admin-workspace') ??
  (typeof req.query.admin_workspace === 'string' ? req.query.admin_workspace : null);

/**
 * @throws FORBIDDEN if the caller isn't staff; NOT_FOUND if the team doesn't exist or a different one is also
 * named
 */
async function staffTeam(
  services: Services,
  { user, role_refused }: Met,
  slug: string,
  also: string | null,
): Promise<CallerTeam> {
  if (role_refused) throw roleNotCounting(services, role_refused);
  if (user.platform_role === null)
    throw new Problem('FORBIDDEN', {
      message: 'Only platform staff can use X-Admin-Workspace.',
    });
  const team =
    isSlug(slug) && (also === null || also === slug) ? await findForeignTeam(services.db, { slug }) : null;
  if (!team) throw new Problem('NOT_FOUND', { message: `There is no team “${cutWhole(slug, 80)}”.` });
  return team;
}

const roleNotCounting = ({ config }: Pick<Services, 'config'>, refused: RoleRefusal) =>
  refused === 'network'
    ? new Problem('FORBIDDEN', {
        message: "Your platform role doesn't apply from your network address.",
        suggestions: ["Connect to a network listed in ADMIN_NETWORKS, such as your company's VPN."],
      })
    : new Problem('FORBIDDEN', {
        message: 'Your platform role applies only after staff single sign-on.',
        suggestions: [`Sign out, then choose “${config.staffSso?.name ?? ''}” on the sign-in page.`],
      });

/** Returns the team in the path: the caller's role in it is checked. */
export const teamInPath = (spec: OperationSpec, req: Request): string | null =>
  spec.path.startsWith('/workspaces/{slug}') ? String(req.params.slug) : null;

const noSuchTeam = (slug: string) =>
  new Problem('NOT_FOUND', { message: `You don't belong to a team “${cutWhole(slug, 80)}”.` });

/** Doesn't reveal whether the account is in that team: the provider's operator could be the caller. */
const beyondSso = (slug: string) =>
  new Problem('NOT_FOUND', {
    message: `You can't access a team “${cutWhole(slug, 80)}”. Single sign-on only gives access to its own team.`,
    suggestions: ['Sign in with your password or a passkey to access your other teams.'],
  });

/** Doesn't delay or fail the request. */
function note(services: Services, writing: Promise<void>): void {
  writing.catch((error: unknown) => services.log.warn({ err: error }, "couldn't record a token's last use"));
}

async function tokenCaller(
  services: Services,
  req: Request,
  token: string,
): Promise<{ caller: Caller; default_version: string | null }> {
  const { db } = services;
  const found = isWellFormedToken(token) ? await findToken(db, hashToken(token)) : null;
  if (!found) throw new Problem('INVALID_API_KEY');
  const row = withCountingRole(services, req, null, found);
  if (row.stale_use) {
    note(services, noteTokenUse(db, row.token_id, req.ip ?? ''));
    if (row.team) note(services, noteSeen(db, row.team.id, row.user.id));
  }
  const caller: Caller = {
    kind: 'token',
    user: row.user,
    team: row.team,
    scopes: row.scopes,
    session: null,
    token_id: row.token_id,
    as_staff: false,
    role_refused: row.role_refused,
    view_as: null,
    via_sso: row.via_sso,
  };
  return { caller, default_version: row.default_version };
}

/**
 * Cookies travel with cross-site requests, so a state-changing request must come from our own origin. SameSite=Lax is
 * the first defense, this is the second. Tokens are sent deliberately and need no check.
 */
function checkOrigin(services: Services, req: Request): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method)) return;
  const site = req.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return;
  const origin = req.get('origin');
  const own = new URL(services.config.publicUrl).origin;
  if (origin === own || (origin !== undefined && sameHost(origin, req.get('host'), own))) return;
  if (site === undefined && origin === undefined) return; // Not a browser, so SameSite can't be bypassed.
  throw new Problem('FORBIDDEN', { message: 'This request came from another site.' });
}

/** The server under another of its names, with the same scheme. */
function sameHost(origin: string, host: string | undefined, own: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host === host && url.protocol === new URL(own).protocol;
}

export function authorize(spec: OperationSpec, { caller, config }: Pick<Context, 'caller' | 'config'>): void {
  if (caller.view_as) checkViewAs(spec, caller.view_as);
  const decision = decide(spec.permission, subjectOf(caller));
  if (decision === 'unauthenticated') throw new Problem('UNAUTHENTICATED');
  if (decision === 'scope')
    throw new Problem('FORBIDDEN', { message: `This token's scopes don't include ${spec.permission}.` });
  if (decision === 'forbidden')
    throw caller.role_refused && !isOfTeam(spec.permission)
      ? roleNotCounting({ config }, caller.role_refused)
      : new Problem('FORBIDDEN');
  const auth_method = caller.session?.auth_method ?? null;
  if (settingsRefusal({ via_sso: caller.via_sso, auth_method })) checkSsoReach(spec);
  if (isOfTeam(spec.permission)) {
    const refused = teamRefusal(caller);
    if (refused === 'second_factor') throw new Problem('SECOND_FACTOR_REQUIRED');
    if (refused === 'sso') throw new Problem('SSO_REQUIRED');
    if (refused === 'own_sign_in') throw new Problem('OWN_SIGN_IN_REQUIRED');
  }
  if (
    spec.stepUp &&
    caller.session &&
    Date.now() - caller.session.confirmed_at.getTime() > CONFIRMED_SECONDS * 1000
  )
    throw new Problem('STEP_UP_REQUIRED');
}
