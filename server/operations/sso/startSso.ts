import { createHash, randomBytes } from 'node:crypto';
import { safeNext } from '../../../console/lib/paths';
import { findUsableByPublicId, findUsableBySlug, insertSignIn, noteCheck } from '../../db/sso';
import { Problem } from '../../domain/problem';
import { SSO_SIGN_IN_SECONDS, ssoCookie } from '../../domain/sso';
import { OidcError } from '../../drivers/oidc';
import type { Context, Handler } from '../types';
import { clientOf, invalid, redirectUri } from './connection';

export const VERIFIER_PURPOSE = 'sso-code-verifier';

/** 256 random bits. */
const random = () => randomBytes(32).toString('base64url');
export const hashOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * Begins a sign-in. What the answer must fit is kept for ten minutes; the cookie, always new, ties it to this browser.
 */
export const startSso: Handler<'startSso'> = async ({ body, ctx }) => {
  const connection = await connectionFor(ctx, body);
  const exchange = {
    redirect_uri: redirectUri(ctx),
    state: random(),
    nonce: random(),
    code_verifier: random(),
  };
  let authorization_url: string;
  try {
    authorization_url = await ctx.oidc.authorizationUrl(clientOf(ctx, connection), exchange);
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    ctx.log.warn({ sso: connection.public_id, kind: error.kind, reason: error.message }, 'a provider failed');
    await noteCheck(ctx.db, connection.id, error.message);
    throw new Problem('SSO_FAILED', {
      message: `The sign-in provider of ${connection.team_name} does not work at present. ${error.message}`,
      cause: error,
    });
  }
  const browser = random();
  await insertSignIn(ctx.db, {
    state_hash: hashOf(exchange.state),
    browser_hash: hashOf(browser),
    connection_id: connection.id,
    nonce: exchange.nonce,
    sealed_code_verifier: ctx.seal.seal(VERIFIER_PURPOSE, exchange.code_verifier),
    next: safeNext(body.next) ?? null,
    expires_at: new Date(Date.now() + SSO_SIGN_IN_SECONDS * 1000),
  });
  return {
    status: 200,
    body: { authorization_url },
    headers: { 'Set-Cookie': ssoCookie(ctx.config.publicUrl, browser) },
  };
};

async function connectionFor(ctx: Context, by: { connection_id?: string; team_slug?: string }) {
  const { connection_id, team_slug } = by;
  if (connection_id === undefined && team_slug === undefined)
    throw invalid('connection_id', 'Say by which connection, or for which team.');
  const found =
    connection_id !== undefined
      ? await findUsableByPublicId(ctx.db, connection_id)
      : await findUsableBySlug(ctx.db, team_slug ?? '');
  if (!found) throw new Problem('NOT_FOUND', { message: 'There is no single sign-on here.' });
  return found;
}
