import { createHash, randomBytes } from 'node:crypto';
import { safeNext } from '../../../../console/lib/paths';
import { findProvedByPublicId, findProvedBySlug, insertSignIn, noteCheck } from '../../../db/teams/sso';
import { Problem } from '../../../domain/core/problem';
import { SSO_SIGN_IN_SECONDS, ssoCookie } from '../../../domain/teams/sso';
import { OidcError, type OidcClient } from '../../../drivers/oidc';
import type { Context, Handler } from '../../types';
import { clientOf, redirectUri } from './connection';
import { invalidField } from '../../core/invalid';

export const VERIFIER_PURPOSE = 'sso-code-verifier';

/** 256 random bits. */
const random = () => randomBytes(32).toString('base64url');
export const hashOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * Starts a sign-in. The values the response must match are kept for ten minutes; the cookie, always new, binds it
 * to this browser.
 */
export const startSso: Handler<'startSso'> = async ({ body, ctx }) => {
  const provider = body.staff ? staffProvider(ctx) : await teamProvider(ctx, body);
  const exchange = {
    redirect_uri: redirectUri(ctx),
    state: random(),
    nonce: random(),
    code_verifier: random(),
  };
  let authorization_url: string;
  try {
    authorization_url = await ctx.oidc.authorizationUrl(provider.client, exchange);
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    ctx.log.warn({ sso: provider.name, kind: error.kind, reason: error.message }, 'identity provider failed');
    await provider.failed(error.message);
    throw new Problem('SSO_FAILED', {
      message: `${provider.whose} identity provider isn't working. ${error.message}`,
      cause: error,
    });
  }
  const browser = random();
  await insertSignIn(ctx.db, {
    state_hash: hashOf(exchange.state),
    browser_hash: hashOf(browser),
    connection_id: provider.connection_id,
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

interface StartedAt {
  /** Null for the staff provider. */
  connection_id: number | null;
  client: OidcClient;
  /** Log label. */
  name: string;
  /** Name in the error message. */
  whose: string;
  failed: (message: string) => Promise<void>;
}

async function teamProvider(ctx: Context, by: Parameters<typeof connectionFor>[1]): Promise<StartedAt> {
  const connection = await connectionFor(ctx, by);
  return {
    connection_id: connection.id,
    client: clientOf(ctx, connection),
    name: connection.public_id,
    whose: `${connection.team_name}'s`,
    failed: (message) => noteCheck(ctx.db, connection.id, message),
  };
}

function staffProvider({ config: { staffSso } }: Context): StartedAt {
  if (staffSso === null) throw new Problem('NOT_FOUND', { message: "Staff single sign-on isn't set up." });
  return {
    connection_id: null,
    client: staffSso,
    name: 'staff',
    whose: "The staff's",
    failed: async () => undefined,
  };
}

async function connectionFor(ctx: Context, by: { connection_id?: string; team_slug?: string }) {
  const { connection_id, team_slug } = by;
  if (connection_id === undefined && team_slug === undefined)
    throw invalidField('connection_id', 'Send connection_id or team_slug.');
  const found =
    connection_id !== undefined
      ? await findProvedByPublicId(ctx.db, connection_id)
      : await findProvedBySlug(ctx.db, team_slug ?? '');
  if (!found) throw new Problem('NOT_FOUND', { message: "Single sign-on isn't set up." });
  if (found.suspended_at !== null)
    throw new Problem('SSO_FAILED', {
      message: `Single sign-on for ${found.team_name} is suspended: the TXT record that verifies ${found.domain} is missing.`,
      suggestions: [
        'Sign in with your password or a passkey.',
        'An admin of the team can publish the record again.',
      ],
    });
  return found;
}
