import type { PutSso } from '../../../../generated/api/types.gen';
import type { SsoConnectionRow } from '../../../db/teams/ssoConnectionsTable';
import {
  forgetIdentities,
  forgetSignIns,
  insertConnection,
  lockConnection,
  updateConnection,
  type ConnectionValues,
} from '../../../db/teams/sso';
import { findScimToken } from '../../../db/teams/scimTokens';
import { endProvisioning } from '../../../db/teams/scimUsers';
import { Problem } from '../../../domain/core/problem';
import { domainRefusal, issuerRefusal, newDomainChallenge, normalDomain } from '../../../domain/teams/sso';
import { teamOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import type { Context, Handler } from '../../types';
import { auditView, checkSsoVersion, sealSecret, settingsOut, tokenRevoked } from './connection';
import { invalidField } from '../../core/invalid';

/**
 * Stores the connection. The TXT record is the domain owner's statement that this issuer speaks for its
 * users, so another domain or issuer needs a new one: an admin can't substitute a provider of their own.
 * Unconfirmed accounts can't set one up: it would outlast the takeover when the address's owner confirms it.
 */
export const putSso: Handler<'putSso'> = async ({ body, ctx }) => {
  requireVerified(ctx);
  const team = teamOf(ctx);
  const domain = await checked(ctx, body);
  return ctx.write(async ({ trx, audit }) => {
    const before = await lockConnection(trx, team.id);
    await checkSsoVersion(ctx, trx, before ?? null);
    const values = nextValues(ctx, before ?? null, { ...body, domain });
    const row = before
      ? await updateConnection(trx, before.id, values)
      : await insertConnection(trx, team.id, values);
    if (!row)
      throw new Problem('CONFLICT', { message: 'Single sign-on was just set up by another user. Reload.' });
    // Links and sessions are valid only for this issuer and domain.
    if (before && (before.issuer !== row.issuer || before.domain !== row.domain)) {
      await forgetIdentities(trx, row.id);
      // The previous provider has the token.
      const token = await findScimToken(trx, row.id);
      await endProvisioning(trx, row.id, { forget_users: before.domain !== row.domain });
      if (token) await audit(tokenRevoked(row, token));
    }
    if (before && before.issuer !== row.issuer) await forgetSignIns(trx, row.id);
    await audit({
      action: before ? 'sso.update' : 'sso.create',
      target_kind: 'sso_connection',
      target_id: row.public_id,
      team_id: team.id,
      ...(before ? { before: auditView(before) } : {}),
      after: auditView(row),
    });
    const changed = settingsOut(ctx, row);
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};

/** Runs every check that needs no transaction, and normalizes the domain. */
async function checked(ctx: Context, body: PutSso): Promise<string> {
  const issuer = issuerRefusal(body.issuer) ?? (await ctx.oidc.addressRefusal(body.issuer));
  if (issuer !== null) throw invalidField('issuer', issuer);
  const domain = normalDomain(body.domain);
  if (domain === null) throw invalidField('domain', 'Enter a domain such as example.com.');
  const refusal = domainRefusal(domain);
  if (refusal !== null) throw invalidField('domain', refusal);
  if (body.role_claim === null && body.role_rules.length > 0)
    throw invalidField('role_claim', 'Enter the claim that contains the role values.');
  if (body.enforced) {
    const failed = (await ctx.oidc.inspect(body.issuer)).find(({ ok }) => !ok);
    if (failed)
      throw new Problem('CONFLICT', {
        message: `Single sign-on can't be required until the provider works. ${failed.detail}`,
      });
  }
  return domain;
}

function nextValues(ctx: Context, before: SsoConnectionRow | null, body: PutSso): ConnectionValues {
  const { issuer, client_id, client_secret, domain, enforced, default_role, role_rules } = body;
  const same = before !== null && before.domain === domain && before.issuer === issuer;
  if (enforced && !(same && before.domain_verified_at !== null)) throw new Problem('DOMAIN_UNVERIFIED');
  const held = before?.sealed_client_secret ?? null;
  // The secret was set for the previous issuer and would be sent to the new one.
  if (client_secret === undefined && held !== null && before?.issuer !== issuer)
    throw invalidField('client_secret', 'Enter the client secret of the new issuer.');
  return {
    issuer,
    client_id: client_id.trim(),
    sealed_client_secret: client_secret === undefined ? held : sealSecret(ctx, client_secret),
    domain,
    domain_challenge: same ? before.domain_challenge : newDomainChallenge(),
    domain_verified_at: same ? before.domain_verified_at : null,
    domain_checked_at: same ? before.domain_checked_at : null,
    domain_seen_at: same ? before.domain_seen_at : null,
    domain_missing_since: same ? before.domain_missing_since : null,
    suspended_at: same ? before.suspended_at : null,
    enforced,
    require_email_verified: body.require_email_verified ?? before?.require_email_verified ?? true,
    default_role,
    role_claim: body.role_claim?.trim() || null,
    role_rules: role_rules.map(({ value, role }) => ({ value: value.trim(), role })),
    last_error: same ? before.last_error : null,
  };
}
