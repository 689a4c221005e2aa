import { timingSafeEqual } from 'node:crypto';
import { linkSsoPath, safeNext, teamPath, twoFactorPath } from '../../../../console/lib/paths';
import { findProved, noteOutcome, takeSignIn, type ConnectionTeam } from '../../../db/teams/sso';
import type { SsoSignInRow } from '../../../db/teams/ssoSignInsTable';
import { identityRefusal, ssoCookie, ssoCookieName } from '../../../domain/teams/sso';
import { OidcError, type OidcClient, type OidcIdentity } from '../../../drivers/oidc';
import { completeSignIn } from '../../core/signIn';
import { requestLink } from './linkRequest';
import type { Context, Handler, Write } from '../../types';
import { enterStaff } from '../../accounts/staffSso/staffSignIn';
import { admit } from './admit';
import { clientOf, redirectUri } from './connection';
import { NotAdmitted, type SsoFailure } from './notAdmitted';
import { hashOf, VERIFIER_PURPOSE } from './startSso';

/**
 * The browser arrives from the provider, so every outcome redirects to a page of this server, never
 * elsewhere.
 */
export const finishSso: Handler<'finishSso'> = async ({ query, ctx }) => {
  const done = ssoCookie(ctx.config.publicUrl, null);
  try {
    const sent = await signInOf(ctx, query.state);
    const { location, cookies } = await (sent.connection_id === null
      ? throughStaffProvider(ctx, sent, query)
      : throughConnection(ctx, sent.connection_id, sent, query));
    return { status: 302, headers: { Location: location, 'Set-Cookie': [...cookies, done] } };
  } catch (error) {
    if (!(error instanceof NotAdmitted)) throw error;
    ctx.log.info({ reason: error.reason }, 'single sign-on refused');
    return { status: 302, headers: { Location: `/login?sso_error=${error.reason}`, 'Set-Cookie': done } };
  }
};

type Sent = SsoSignInRow & { state: string };
type Answer = Readonly<Record<string, string | undefined>>;

async function throughConnection(ctx: Context, id: number, sent: Sent, query: Answer) {
  const connection = await findProved(ctx.db, id);
  if (!connection) throw new NotAdmitted('unavailable');
  if (connection.suspended_at !== null) throw new NotAdmitted('suspended');
  const identity = await identify(ctx, sent, query, {
    client: clientOf(ctx, connection),
    role_claim: connection.role_claim,
    name: connection.public_id,
    failed: (message) => noteOutcome(ctx.db, connection.id, message),
  });
  const refusal = identityRefusal(identity, connection);
  if (refusal !== null) throw new NotAdmitted(refusal);
  const next = safeNext(sent.next) ?? teamPath(connection.slug);
  return ctx.write((write) => enter(ctx, write, connection, identity, next));
}

async function throughStaffProvider(ctx: Context, sent: Sent, query: Answer) {
  const { staffSso } = ctx.config;
  if (staffSso === null) throw new NotAdmitted('unavailable');
  const identity = await identify(ctx, sent, query, {
    client: staffSso,
    role_claim: staffSso.role_claim,
    name: 'staff',
    failed: async () => undefined,
  });
  return enterStaff(ctx, staffSso, sent, identity);
}

/**
 * Opens a session, a sign-in pending its second factor, or a link that the account must confirm.
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
    actor_kind: 'user',
    actor_user_id: user.id,
    team_id: connection.team_id,
    after: { method: 'sso', connection: connection.public_id },
  });
  return { location: status === 'signed_in' ? next : twoFactorPath(next), cookies };
}

/**
 * Returns the sign-in this response is for: started in this browser, still pending and not expired.
 */
async function signInOf(ctx: Context, state: string | undefined): Promise<Sent> {
  const row = state === undefined ? null : await takeSignIn(ctx.db, hashOf(state));
  const browser = ctx.cookie(ssoCookieName(ctx.config.publicUrl));
  if (state === undefined || !row || browser === null || !timingSafeEqual(hashOf(browser), row.browser_hash))
    throw new NotAdmitted('expired');
  return { ...row, state };
}

interface From {
  client: OidcClient;
  role_claim: string | null;
  /** Log label. */
  name: string;
  /** Records the reason for a failure. */
  failed: (message: string) => Promise<void>;
}

async function identify(
  ctx: Context,
  sent: Sent,
  query: Answer,
  { client, role_claim, name, failed }: From,
): Promise<OidcIdentity> {
  const exchange = {
    redirect_uri: redirectUri(ctx),
    state: sent.state,
    nonce: sent.nonce,
    code_verifier: ctx.seal.open(VERIFIER_PURPOSE, sent.sealed_code_verifier),
  };
  const answer = Object.fromEntries(
    Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
  const claims = role_claim === null ? [] : [role_claim.split('.')[0] ?? ''];
  try {
    return await ctx.oidc.identify(client, exchange, answer, claims);
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    ctx.log.warn({ sso: name, kind: error.kind, reason: error.message }, 'identity provider failed');
    // Anyone can submit a made-up code, which says nothing about the connection.
    if (error.kind !== 'denied') await failed(error.message);
    throw new NotAdmitted(reasons[error.kind]);
  }
}

const reasons: Record<OidcError['kind'], SsoFailure> = {
  unreachable: 'provider_down',
  misconfigured: 'provider_error',
  denied: 'denied',
  rejected: 'rejected',
};
