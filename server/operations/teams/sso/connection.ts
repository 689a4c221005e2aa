import type { SsoSettings } from '../../../../generated/api/types.gen';
import type { Tx } from '../../../db/core/client';
import type { SsoConnectionRow } from '../../../db/teams/ssoConnectionsTable';
import type { Json } from '../../../db/core/json';
import { Problem } from '../../../domain/core/problem';
import { ssoVersion } from '../../../domain/teams/teamVersions';
import { ssoConnectionOut } from '../../../domain/teams/ssoResponse';
import type { OidcClient } from '../../../drivers/oidc';
import { teamOf } from '../../core/caller';
import { checkIfMatch } from '../../core/ifMatch';
import type { Context } from '../../types';

const SECRET_PURPOSE = 'sso-client-secret';

/** The redirect URI to register with the provider. */
export const redirectUri = (ctx: Pick<Context, 'config'>) =>
  `${ctx.config.publicUrl}/api/v1/auth/sso/callback`;

export function settingsOut(ctx: Context, row: SsoConnectionRow | null): SsoSettings {
  const shown = { connection: row && ssoConnectionOut(row), redirect_uri: redirectUri(ctx) };
  return { ...shown, etag: ssoVersion.etag(row, shown) };
}

/** @throws PRECONDITION_FAILED */
export function checkSsoVersion(ctx: Context, trx: Tx, row: SsoConnectionRow | null): Promise<void> {
  const { id: team_id, name } = teamOf(ctx);
  return checkIfMatch(ctx, trx, {
    version: ssoVersion,
    row,
    etag: settingsOut(ctx, row).etag,
    team_id,
    target_id: row?.public_id ?? '',
    actions: ['sso.create', 'sso.update'],
    name,
  });
}

export const sealSecret = (ctx: Pick<Context, 'seal'>, secret: string) =>
  ctx.seal.seal(SECRET_PURPOSE, secret);

export function clientOf(
  ctx: Pick<Context, 'seal'>,
  row: Pick<SsoConnectionRow, 'issuer' | 'client_id' | 'sealed_client_secret'>,
): OidcClient {
  const { issuer, client_id, sealed_client_secret: sealed } = row;
  return { issuer, client_id, client_secret: sealed === null ? null : ctx.seal.open(SECRET_PURPOSE, sealed) };
}

export const noConnection = () =>
  new Problem('NOT_FOUND', { message: "This team hasn't set up single sign-on." });

/** Returns the audit entry of a revoked SCIM token. */
export const tokenRevoked = (row: Pick<SsoConnectionRow, 'public_id'>, { hint }: { hint: string }) => ({
  action: 'scim.token_revoke',
  target_kind: 'sso_connection',
  target_id: row.public_id,
  before: { scim_token: hint },
});

/** Returns a connection's audited fields. */
export function auditView(row: SsoConnectionRow): Json {
  const { issuer, client_id, domain, enforced, default_role, role_claim, role_rules } = row;
  return {
    issuer,
    client_id,
    client_secret: row.sealed_client_secret === null ? null : '•••',
    domain,
    domain_verified: row.domain_verified_at !== null,
    enforced,
    require_email_verified: row.require_email_verified,
    default_role,
    role_claim,
    role_rules: role_rules.map(({ value, role }) => ({ value, role })),
  };
}
