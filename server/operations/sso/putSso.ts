import type { PutSso } from '../../../generated/api/types.gen';
import type { SsoConnectionRow } from '../../db/schemaSso';
import {
  forgetIdentities,
  insertConnection,
  lockConnection,
  updateConnection,
  type ConnectionValues,
} from '../../db/sso';
import { Problem } from '../../domain/problem';
import { domainRefusal, issuerRefusal, newDomainChallenge, normalDomain } from '../../domain/sso';
import { teamOf } from '../shared/caller';
import type { Context, Handler } from '../types';
import { auditView, invalid, sealSecret, settingsOut } from './connection';

/**
 * Keeps the connection. The TXT record is the word of who answers for the domain that this issuer speaks for its
 * people, so another domain or another issuer needs it anew: an admin cannot put a provider of their own in its place.
 */
export const putSso: Handler<'putSso'> = async ({ body, ctx }) => {
  const team = teamOf(ctx);
  const domain = await checked(ctx, body);
  return ctx.write(async ({ trx, audit }) => {
    const before = await lockConnection(trx, team.id);
    const values = nextValues(ctx, before ?? null, { ...body, domain });
    const row = before
      ? await updateConnection(trx, before.id, values)
      : await insertConnection(trx, team.id, values);
    if (!row)
      throw new Problem('CONFLICT', { message: 'Somebody else has just set up single sign-on. Reload.' });
    if (before && before.issuer !== row.issuer) await forgetIdentities(trx, row.id);
    await audit({
      action: before ? 'sso.update' : 'sso.create',
      target_kind: 'sso_connection',
      target_id: row.public_id,
      team_id: team.id,
      ...(before ? { before: auditView(before) } : {}),
      after: auditView(row),
    });
    return { status: 200, body: settingsOut(ctx, row) } as const;
  });
};

/** Everything that needs no transaction; the domain in its one spelling. */
async function checked(ctx: Context, body: PutSso): Promise<string> {
  const issuer = issuerRefusal(body.issuer) ?? (await ctx.oidc.addressRefusal(body.issuer));
  if (issuer !== null) throw invalid('issuer', issuer);
  const domain = normalDomain(body.domain);
  if (domain === null) throw invalid('domain', 'Enter a domain such as example.com.');
  const refusal = domainRefusal(domain);
  if (refusal !== null) throw invalid('domain', refusal);
  if (body.role_claim === null && body.role_rules.length > 0)
    throw invalid('role_claim', 'Say in which claim the values of the rules are found.');
  if (body.enforced) {
    const failed = (await ctx.oidc.inspect(body.issuer)).find(({ ok }) => !ok);
    if (failed)
      throw new Problem('CONFLICT', {
        message: `Single sign-on cannot be required while the provider does not work. ${failed.detail}`,
      });
  }
  return domain;
}

function nextValues(ctx: Context, before: SsoConnectionRow | null, body: PutSso): ConnectionValues {
  const { issuer, client_id, client_secret, domain, enforced, default_role, role_rules } = body;
  const same = before !== null && before.domain === domain && before.issuer === issuer;
  if (enforced && !(same && before.domain_verified_at !== null)) throw new Problem('DOMAIN_UNVERIFIED');
  const held = before?.sealed_client_secret ?? null;
  // It was given for the former issuer, and would be sent to the new one.
  if (client_secret === undefined && held !== null && before?.issuer !== issuer)
    throw invalid('client_secret', 'Enter the client secret of the new issuer.');
  return {
    issuer,
    client_id: client_id.trim(),
    sealed_client_secret: client_secret === undefined ? held : sealSecret(ctx, client_secret),
    domain,
    domain_challenge: same ? before.domain_challenge : newDomainChallenge(),
    domain_verified_at: same ? before.domain_verified_at : null,
    enforced,
    default_role,
    role_claim: body.role_claim?.trim() || null,
    role_rules: role_rules.map(({ value, role }) => ({ value: value.trim(), role })),
    last_error: same ? before.last_error : null,
  };
}
