import { timingSafeEqual } from 'node:crypto';
import { linkSsoPath, safeNext, teamPath, twoFactorPath } from '../../../../console/lib/paths';
import { findProved, noteOutcome, takeSignIn, type ConnectionTeam } from '../../../db/teams/sso';
import type { SsoSignInRow } from '../../../db/teams/ssoSignInsTable';
import { identityRefusal, ssoCookie, ssoCookieName } from '../../../domain/teams/sso';
import { OidcError, type OidcIdentity } from '../../../drivers/oidc';
import { completeSignIn } from '../../core/signIn';
import { requestLink } from './linkRequest';
import type { Context, Handler, Write } from '../../types';
import { admit, NotAdmitted, type SsoFailure } from './admit';
import { clientOf, redirectUri } from './connection';
import { hashOf, VERIFIER_PURPOSE } from './startSso';

/**
 * The browser arrives from the provider, so every outcome redirects to a page of this server, never
 * elsewhere.
 */
export const finishSso: Handler<'finishSso'> = async ({ query, ctx }) => {
  const done = ssoCookie(ctx.config.publicUrl, null);
  try {
    const sent = await signInOf(ctx, query.state);
    const connection = await findProved(ctx.db, sent.connection_id);
    if (!connection) throw new NotAdmitted('unavailable');
    if (connection.suspended_at !== null) throw new NotAdmitted('suspended');
    const identity = await identify(ctx, connection, sent, query);
    const refusal = identityRefusal(identity, connection);
    if (refusal !== null) throw new NotAdmitted(refusal);
    const next = safeNext(sent.next) ?? teamPath(connection.slug);
    const { location, cookies } = await ctx.write((write) => enter(ctx, write, connection, identity, next));
    return { status: 302, headers: { Location: location, 'Set-Cookie': [...cookies, done] } };
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    ctx.log.info({ reason: error.reason }, 'a single sign-on was refused');
    return { status: 302, headers: { Location: `/login?sso_error=${error.reason}`, 'Set-Cookie': done } };
  }
};

/**
 * Opens a session, a sign-in that waits for its second factor, or a link that the account has to confirm.
 */
async function enter(
  ctx: Context,
  write: Write,
  connection: ConnectionTeam,
  identity: OidcIdentity,
  next: string,
): Promise<{ location: string; cookies: string[] }> {
  const { trx, audit } = write;
  const admission = await admit(ctx, write, connection, identity);
  const { user } = admission;
  await noteOutcome(trx, connection.id, null);
  if (admission.kind === 'link') {
    const cookie = await requestLink(ctx, write, connection, { ...admission, subject: identity.subject });
    return { location: linkSsoPath, cookies: [cookie] };
  }
  const { status, cookies } = await completeSignIn(ctx, trx, {
    user_id: user.id,
    method: 'sso',
    sso_connection_id: connection.id,
  });
  await audit({
    action: status === 'signed_in' ? 'session.create' : 'session.second_factor_asked',
    target_kind: 'user',
    target_id: user.public_id,
    actor_user_id: user.id,
    team_id: connection.team_id,
    after: { method: 'sso', connection: connection.public_id },
  });
  return { location: status === 'signed_in' ? next : twoFactorPath(next), cookies };
}

/**
 * Returns the sign-in this response is for: started in this browser, still pending and not expired.
 */
async function signInOf(ctx: Context, state: string | undefined): Promise<SsoSignInRow & { state: string }> {
  const row = state === undefined ? null : await takeSignIn(ctx.db, hashOf(state));
  const browser = ctx.cookie(ssoCookieName(ctx.config.publicUrl));
  if (state === undefined || !row || browser === null || !timingSafeEqual(hashOf(browser), row.browser_hash))
    throw new NotAdmitted('expired');
  return { ...row, state };
}

async function identify(
  ctx: Context,
  connection: ConnectionTeam,
  sent: SsoSignInRow & { state: string },
  query: Readonly<Record<string, string | undefined>>,
): Promise<OidcIdentity> {
  const exchange = {
    redirect_uri: redirectUri(ctx),
    state: sent.state,
    nonce: sent.nonce,
    code_verifier: ctx.seal.open(VERIFIER_PURPOSE, sent.sealed_code_verifier),
  };
  const answer = Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
  const claims = connection.role_claim === null ? [] : [connection.role_claim.split('.')[0] ?? ''];
  try {
    return await ctx.oidc.identify(clientOf(ctx, connection), exchange, answer, claims);
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    ctx.log.warn({ sso: connection.public_id, kind: error.kind, reason: error.message }, 'a provider failed');
    // Anyone can submit a made-up code, which says nothing about the connection.
    if (error.kind !== 'denied') await noteOutcome(ctx.db, connection.id, error.message);
    throw new NotAdmitted(reasons[error.kind]);
  }
}

const reasons: Record<OidcError['kind'], SsoFailure> = {
  unreachable: 'provider_down',
  misconfigured: 'provider_error',
  denied: 'denied',
  rejected: 'rejected',
};
