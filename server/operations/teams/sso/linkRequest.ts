import { findLinkRequest, insertLinkRequest, type LinkRequest } from '../../../db/teams/ssoLinks';
import type { UserRow } from '../../../db/accounts/usersTable';
import type { ConnectionTeam } from '../../../db/teams/sso';
import { Problem } from '../../../domain/core/problem';
import { SSO_LINK_SECONDS, ssoLinkCookie, ssoLinkCookieName, type SsoRole } from '../../../domain/teams/sso';
import { hashToken, isWellFormedToken, newToken } from '../../../domain/teams/token';
import type { Context, Write } from '../../types';

/**
 * Creates a link pending the account's own sign-in. Returns the Set-Cookie value that binds it to
 * this browser.
 */
export async function requestLink(
  ctx: Context,
  { trx, audit }: Write,
  connection: ConnectionTeam,
  { user, role, subject }: { user: UserRow; role: SsoRole; subject: string },
): Promise<string> {
  const token = newToken('psi');
  await insertLinkRequest(trx, {
    token_hash: hashToken(token),
    connection_id: connection.id,
    issuer: connection.issuer,
    domain: connection.domain,
    subject,
    user_id: user.id,
    role,
    seconds: SSO_LINK_SECONDS,
  });
  // The account hasn't signed in yet, so it is the target and not the actor.
  await audit({
    action: 'sso.link_requested',
    target_kind: 'user',
    target_id: user.public_id,
    team_id: connection.team_id,
    after: { connection: connection.public_id },
  });
  return ssoLinkCookie(ctx.config.publicUrl, token);
}

/** Returns the token hash from the pending link cookie; null without one. */
export function linkTokenHash(ctx: Context): Buffer | null {
  const token = ctx.cookie(ssoLinkCookieName(ctx.config.publicUrl));
  return token !== null && isWellFormedToken(token) ? hashToken(token) : null;
}

/** Returns this browser's pending link. @throws SIGN_IN_EXPIRED */
export async function linkRequestOf(ctx: Context): Promise<LinkRequest> {
  const hash = linkTokenHash(ctx);
  const request = hash && (await findLinkRequest(ctx.db, hash));
  if (!request)
    throw new Problem('SIGN_IN_EXPIRED', {
      message: 'Nothing to confirm: the request expired or was started in another browser.',
      suggestions: ['Start single sign-on again.'],
    });
  return request;
}
