import { timingSafeEqual } from 'node:crypto';
import { safeNext, teamPath } from '../../../console/lib/paths';
import { findUsable, noteOutcome, takeSignIn, type ConnectionTeam } from '../../db/sso';
import type { SsoSignInRow } from '../../db/schemaSso';
import { identityRefusal, ssoCookie, ssoCookieName } from '../../domain/sso';
import { OidcError, type OidcIdentity } from '../../drivers/oidc';
import { completeSignIn } from '../shared/signIn';
import type { Context, Handler } from '../types';
import { admit, NotAdmitted, type SsoFailure } from './admit';
import { clientOf, redirectUri } from './connection';
import { hashOf, VERIFIER_PURPOSE } from './startSso';

/** A browser comes here from the provider, so every outcome is a page of ours, and only ever of ours. */
export const finishSso: Handler<'finishSso'> = async ({ query, ctx }) => {
  const done = ssoCookie(ctx.config.publicUrl, null);
  try {
    const sent = await signInOf(ctx, query.state);
    const connection = await findUsable(ctx.db, sent.connection_id);
    if (!connection) throw new NotAdmitted('unavailable');
    const identity = await identify(ctx, connection, sent, query);
    const refusal = identityRefusal(identity, connection.domain);
    if (refusal !== null) throw new NotAdmitted(refusal);
    const { status, cookies } = await ctx.write(async ({ trx, audit }) => {
      const user = await admit(trx, audit, connection, identity);
      await noteOutcome(trx, connection.id, null);
      const signed = await completeSignIn(ctx, trx, {
        user_id: user.id,
        method: 'sso',
        sso_connection_id: connection.id,
      });
      await audit({
        action: signed.status === 'signed_in' ? 'session.create' : 'session.second_factor_asked',
        target_kind: 'user',
        target_id: user.public_id,
        actor_user_id: user.id,
        team_id: connection.team_id,
        after: { method: 'sso', connection: connection.public_id },
      });
      return signed;
    });
    const next = safeNext(sent.next) ?? teamPath(connection.slug);
    const location = status === 'signed_in' ? next : `/two-factor?next=${encodeURIComponent(next)}`;
    return { status: 302, headers: { Location: location, 'Set-Cookie': [...cookies, done] } };
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    ctx.log.info({ reason: error.reason }, 'a single sign-on was refused');
    return { status: 302, headers: { Location: `/login?sso_error=${error.reason}`, 'Set-Cookie': done } };
  }
};

/** The sign-in this answer is for: begun here, in this browser, not answered before, not too long ago. */
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
    // Anybody can bring a made-up code here; that says nothing about the connection.
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
