import type { SsoSettings } from '../../../generated/api/types.gen';
import type { SsoConnectionRow } from '../../db/schemaSso';
import type { Json } from '../../db/schema';
import { Problem } from '../../domain/problem';
import { ssoConnectionOut } from '../../domain/wire/sso';
import type { OidcClient } from '../../drivers/oidc';
import type { Context } from '../types';

const SECRET_PURPOSE = 'sso-client-secret';

/** The one address a provider has to know. */
export const redirectUri = (ctx: Pick<Context, 'config'>) =>
  `${ctx.config.publicUrl}/api/v1/auth/sso/callback`;

export const settingsOut = (ctx: Context, row: SsoConnectionRow | null): SsoSettings => ({
  connection: row && ssoConnectionOut(row),
  redirect_uri: redirectUri(ctx),
});

export const sealSecret = (ctx: Pick<Context, 'seal'>, secret: string) =>
  ctx.seal.seal(SECRET_PURPOSE, secret);

export function clientOf(
  ctx: Pick<Context, 'seal'>,
  row: Pick<SsoConnectionRow, 'issuer' | 'client_id' | 'sealed_client_secret'>,
): OidcClient {
  const { issuer, client_id, sealed_client_secret: sealed } = row;
  return { issuer, client_id, client_secret: sealed === null ? null : ctx.seal.open(SECRET_PURPOSE, sealed) };
}

export const noConnection = () => new Problem('NOT_FOUND', { message: 'The team has no single sign-on.' });

export const invalid = (field: string, message: string) =>
  new Problem('VALIDATION_FAILED', { message: `${field}: ${message}`, details: [{ field, message }] });

/** What the audit log keeps of a connection. */
export function auditView(row: SsoConnectionRow): Json {
  const { issuer, client_id, domain, enforced, default_role, role_claim, role_rules } = row;
  return {
    issuer,
    client_id,
    client_secret: row.sealed_client_secret === null ? null : '•••',
    domain,
    domain_verified: row.domain_verified_at !== null,
    enforced,
    default_role,
    role_claim,
    role_rules: role_rules.map(({ value, role }) => ({ value, role })),
  };
}
