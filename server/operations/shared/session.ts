import type { Session } from '../../../generated/api/types.gen';
import { hasGpuInstanceType } from '../../db/catalogue';
import type { Tx } from '../../db/client';
import { hasOnChainKms } from '../../db/kms';
import type { UserRow } from '../../db/schema';
import { createSessionRow } from '../../db/signIn';
import { listTeams } from '../../db/teams';
import { SESSION_SECONDS, sessionCookie } from '../../domain/sessionCookie';
import { hashToken, newToken } from '../../domain/token';
import { sessionOut } from '../../domain/wire/me';
import { VERSION } from '../../root';
import type { Context } from '../types';

/** More than anybody has; the document bounds the list. */
const MAX_TEAMS = 1000;

/** What the apps need before their first page. `team_id`: only this team, for a token. */
export async function sessionView(
  ctx: Context,
  user: UserRow | null,
  team_id: number | null = null,
): Promise<Session> {
  const { config, db } = ctx;
  const [teams, on_chain_kms, gpu] = await Promise.all([
    user ? listTeams(db, { user_id: user.id, team_id, limit: MAX_TEAMS }) : [],
    hasOnChainKms(db),
    hasGpuInstanceType(db),
  ]);
  return sessionOut(user && { user, teams }, {
    features: { registration: true, billing: false, mail: config.smtpUrl !== undefined, on_chain_kms, gpu },
    environment: {
      version: VERSION,
      agent_framework: config.agentFramework,
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

/**
 * A new session in place of the one this browser had, as a Set-Cookie value. The token is always new: one that was
 * planted before signing in is worth nothing after it.
 */
export async function openSession(ctx: Context, trx: Tx, user_id: number): Promise<string> {
  const token = newToken('ses');
  await createSessionRow(trx, {
    user_id,
    token_hash: hashToken(token),
    ip: ctx.ip,
    user_agent: ctx.user_agent,
    seconds: SESSION_SECONDS,
    replaces: ctx.session_token === null ? null : hashToken(ctx.session_token),
  });
  return sessionCookie(ctx.config.publicUrl, token);
}
