import type { Session } from '../../../generated/api/types.gen';
import { announcementsForAll } from '../../db/announcements';
import { hasGpuInstanceType } from '../../db/catalogue';
import type { Tx } from '../../db/client';
import { hasOnChainKms } from '../../db/kms';
import type { UserRow } from '../../db/schema';
import type { AuthMethod } from '../../db/schemaPeople';
import { createSessionRow, noteDevice } from '../../db/signIn';
import { enforcedSso } from '../../db/ssoMembers';
import { formerSlugs, listTeams } from '../../db/teams';
import { deviceOf } from '../../domain/device';
import { placeOf } from '../../domain/place';
import { SESSION_SECONDS, sessionCookie } from '../../domain/sessionCookie';
import type { ViewAs } from '../../domain/caller';
import type { EnforcedSso } from '../../domain/sso';
import { teamRefusal, type TeamEntry } from '../../domain/teamRules';
import { hashToken, newToken } from '../../domain/token';
import { announcementOut } from '../../domain/wire/adminContent';
import { sessionOut } from '../../domain/wire/me';
import { VERSION } from '../../root';
import type { Context } from '../types';

/** More than anybody has; the document bounds the list. */
const MAX_TEAMS = 1000;

/**
 * What the apps need before their first page. `session`: what the session shows, null for a token, which sees its own
 * team only (`team_id`). `view_as`: staff look as that person.
 */
export async function sessionView(
  ctx: Context,
  user: UserRow | null,
  {
    session,
    team_id = null,
    view_as = null,
  }: { session: TeamEntry['session']; team_id?: number | null; view_as?: ViewAs | null },
): Promise<Session> {
  const { config, db } = ctx;
  const [teams, on_chain_kms, gpu, announced] = await Promise.all([
    user ? listTeams(db, { user_id: user.id, team_id, limit: MAX_TEAMS }) : [],
    hasOnChainKms(db),
    hasGpuInstanceType(db),
    user ? [] : announcementsForAll(db),
  ]);
  const [former, enforced] = await Promise.all([
    formerSlugs(
      db,
      teams.map(({ id }) => id),
    ),
    user && !view_as ? enforcedSso(db, user.id) : new Map<number, EnforcedSso>(),
  ]);
  const seen = teams.map((team) => ({
    ...team,
    // Whatever they are, who looks as them is a viewer.
    role: view_as ? ('viewer' as const) : team.role,
    former_slugs: (former.get(team.id) ?? []).slice(0, 20),
    refused: teamRefusal({ user, team: { ...team, enforced_sso: enforced.get(team.id) ?? null }, session }),
  }));
  const as = user && view_as ? { ...user, platform_role: null } : user;
  return sessionOut(as && { user: as, teams: seen, view_as }, {
    announcements: announced.map(announcementOut),
    features: { registration: true, billing: false, mail: config.smtpUrl !== undefined, on_chain_kms, gpu },
    environment: {
      version: VERSION,
      agent_framework: config.agentFramework,
      chat_bot_service: config.chatBot.service,
      local_teepod: config.localTeepod.enabled,
      monitoring_dsn: publicDsn(config.sentryDsn),
      analytics_key: config.posthogKey ?? null,
      analytics_host: config.posthogHost,
      public_url: config.publicUrl,
    },
  });
}

/** Browsers need the DSN's public key; the secret that old DSNs have behind it stays here. */
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
 * A new session in place of the one this browser had, as a Set-Cookie value. The token is always new: one that was
 * planted before signing in is worth nothing after it.
 */
export const openSession = async (
  ctx: Context,
  trx: Tx,
  user_id: number,
  facts: NewSessionFacts = {},
): Promise<string> => (await startSession(ctx, trx, user_id, facts)).cookie;

/** The same, and whether the person never signed in from such a device and country before. */
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
    seconds: SESSION_SECONDS,
    replaces: ctx.session_token === null ? null : hashToken(ctx.session_token),
  });
  // By name without its version: an update makes no new device.
  const device = deviceOf(user_agent).replace(/ \d[\w.+-]*$/, '');
  const new_device = await noteDevice(trx, user_id, { device, country: placeOf(ip) });
  return { cookie: sessionCookie(ctx.config.publicUrl, token), new_device };
}
