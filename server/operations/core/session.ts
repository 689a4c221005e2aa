import { debtsOfTeams, type DebtRow } from '../../db/billing/debts';
import type { Session } from '../../../generated/api/types.gen';
import { announcementsForAll } from '../../db/announcements/announcements';
import { offeredFeatures } from '../../db/catalog/catalog';
import type { Tx } from '../../db/core/client';
import { hostAccess } from '../../db/hosts/teepodTeams';
import type { UserRow } from '../../db/accounts/usersTable';
import type { AuthMethod } from '../../db/accounts/sessionsTable';
import { openBreakGlass } from '../../db/accounts/breakGlass';
import { createSessionRow, noteDevice } from '../../db/accounts/signIn';
import { enforcedSso } from '../../db/teams/ssoMembers';
import { formerSlugs, listTeams } from '../../db/teams/teams';
import { deviceOf } from '../../domain/accounts/device';
import { placeOf } from '../../domain/core/country';
import {
  BREAK_GLASS_SESSION_SECONDS,
  roleRefusal,
  settingsRefusal,
  STAFF_SESSION_SECONDS,
} from '../../domain/accounts/staffSso';
import { SESSION_SECONDS, sessionCookie } from '../../domain/accounts/sessionCookie';
import { sendsMail } from '../../domain/notifications/mail/smtpUrl';
import type { CallerSession, ViewAs } from '../../domain/core/caller';
import { roleBySso, type EnforcedSso } from '../../domain/teams/sso';
import { teamRefusal } from '../../domain/teams/teamRules';
import { hashToken, newToken } from '../../domain/teams/token';
import { announcementOut } from '../../domain/announcements/announcementResponse';
import { sessionOut } from '../../domain/accounts/sessionResponse';
import { VERSION } from '../../root';
import type { Context } from '../types';
import { isSignUpOpen } from './registration';

/** Session fields used by the entry rules of teams and platform roles. */
export type TeamEntrySession = Pick<
  CallerSession,
  'auth_method' | 'second_factor_at' | 'sso_connection_id' | 'sso_team_id'
>;

/** More than any user has; the schema limits the list. */
const MAX_TEAMS = 1000;

/**
 * Returns the data that the apps need before their first page. `session`: the session's state, null for a token,
 * which sees only its own team (`team_id`). `view_as`: staff are viewing as that user.
 */
export async function sessionView(
  ctx: Context,
  user: UserRow | null,
  {
    session,
    team_id = null,
    view_as = null,
    via_sso = false,
  }: {
    session: TeamEntrySession | null;
    team_id?: number | null;
    view_as?: ViewAs | null;
    /** Also true for a token created in a session opened by single sign-on. */
    via_sso?: boolean;
  },
): Promise<Session> {
  const { config, db } = ctx;
  const [teams, offered, announced, registration] = await Promise.all([
    user ? listTeams(db, { user_id: user.id, team_id, limit: MAX_TEAMS }) : [],
    offeredFeatures(db),
    user ? [] : announcementsForAll(db),
    isSignUpOpen(config, db),
  ]);
  const team_ids = teams.map(({ id }) => id);
  const [former, enforced, debts, hosts] = await Promise.all([
    formerSlugs(db, team_ids),
    user && !view_as ? enforcedSso(db, user.id) : new Map<number, EnforcedSso>(),
    config.billingEnforced ? debtsOfTeams(db, team_ids) : new Map<number, DebtRow>(),
    hostAccess(db, team_ids),
  ]);
  const limited = via_sso || (session?.sso_team_id ?? null) !== null;
  const seen = teams.flatMap((team) => {
    const refused = teamRefusal({
      user,
      team: { ...team, enforced_sso: enforced.get(team.id) ?? null },
      session,
      view_as,
    });
    // A session opened by single sign-on doesn't reveal teams it can't reach.
    if (refused === 'own_sign_in') return [];
    return {
      ...team,
      // Viewing as a user always has the viewer role, whatever the user's own.
      role: view_as ? ('viewer' as const) : limited ? roleBySso(team.role) : team.role,
      former_slugs: (former.get(team.id) ?? []).slice(0, 20),
      // A session that can't open the team doesn't see its debts.
      debt: refused === null ? (debts.get(team.id) ?? null) : null,
      has_host: hosts.team_ids.has(team.id),
      refused,
    };
  });
  const auth_method = session?.auth_method ?? null;
  const role_refused =
    user && user.platform_role !== null && !view_as && !limited
      ? roleRefusal(config, { ip: ctx.ip, auth_method })
      : null;
  const as = user && (view_as || limited || role_refused) ? { ...user, platform_role: null } : user;
  const sso_team = seen.find(({ id }) => id === session?.sso_team_id) ?? null;
  const break_glass = as && as.platform_role !== null ? await openBreakGlass(db) : [];
  const settings_refused = view_as ? null : settingsRefusal({ via_sso: limited, auth_method });
  const person = as && {
    user: as,
    teams: seen,
    view_as,
    sso_team,
    role_refused,
    settings_refused,
    break_glass,
  };
  return sessionOut(person, {
    announcements: announced.map(announcementOut),
    features: {
      registration,
      registration_mode: config.registration,
      staff_sign_on: config.staffSso?.name ?? null,
      billing: config.billingEnforced,
      mail: sendsMail(config),
      ...offered,
    },
    environment: { ...environmentOf(config), open_hosts: hosts.is_open },
  });
}

/** Returns the part of the configuration that the apps in the browser need. */
const environmentOf = (config: Context['config']) => ({
  version: VERSION,
  environment: config.environment,
  agent_framework: config.agentFramework,
  chat_bot_service: config.chatBot.service,
  local_teepod: config.localTeepod.enabled,
  monitoring_dsn: publicDsn(config.sentryDsn),
  traces_sample_rate: config.sentryDsn === undefined ? 0 : config.sentryTracesSampleRate,
  analytics_key: config.posthogKey ?? null,
  analytics_host: config.posthogHost,
  public_url: config.publicUrl,
});

/** Browsers need the DSN's public key; the secret in old DSNs stays on the server. */
function publicDsn(dsn: string | undefined): string | null {
  if (dsn === undefined) return null;
  const url = new URL(dsn);
  url.password = '';
  return url.href;
}

export interface NewSessionFacts {
  auth_method?: AuthMethod;
  second_factor?: boolean;
  sso_connection_id?: number | null;
}

/**
 * Opens a new session in place of this browser's current one and returns it as a Set-Cookie value. The token
 * is always new, so one planted before sign-in is worthless.
 */
export const openSession = async (
  ctx: Context,
  trx: Tx,
  user_id: number,
  facts: NewSessionFacts = {},
): Promise<string> => (await startSession(ctx, trx, user_id, facts)).cookie;

/** Also returns whether the user's device and country are new. */
export async function startSession(
  ctx: Context,
  trx: Tx,
  user_id: number,
  { auth_method = 'password', second_factor = false, sso_connection_id = null }: NewSessionFacts,
): Promise<{ cookie: string; new_device: boolean }> {
  const token = newToken('ses');
  const { ip, user_agent } = ctx;
  await createSessionRow(trx, {
    user_id,
    token_hash: hashToken(token),
    auth_method,
    second_factor,
    sso_connection_id,
    ip,
    user_agent,
    seconds:
      auth_method === 'break_glass'
        ? BREAK_GLASS_SESSION_SECONDS
        : auth_method === 'staff_sso'
          ? STAFF_SESSION_SECONDS
          : SESSION_SECONDS,
    replaces: ctx.session_token === null ? null : hashToken(ctx.session_token),
  });
  // Compared by name without version: an update doesn't make a new device.
  const device = deviceOf(user_agent).replace(/ \d[\w.+-]*$/, '');
  const new_device = await noteDevice(trx, user_id, { device, country: placeOf(ip) });
  return { cookie: sessionCookie(ctx.config.publicUrl, token), new_device };
}
