import { findScimToken, replaceScimToken } from '../../../db/teams/scimTokens';
import { lockConnection } from '../../../db/teams/sso';
import { Problem } from '../../../domain/core/problem';
import { scimSettingsOut } from '../../../domain/teams/scim/settingsResponse';
import { teamOf, userOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import type { Handler } from '../../types';
import { noConnection } from '../sso/connection';

/**
 * The token belongs to the connection and outlives its creator's membership: deprovisioning must not stop because an
 * administrator left.
 */
export const createScimToken: Handler<'createScimToken'> = async ({ ctx }) => {
  requireVerified(ctx);
  const team = teamOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const connection = await lockConnection(trx, team.id);
    if (!connection) throw noConnection();
    if (connection.domain_verified_at === null) throw new Problem('DOMAIN_UNVERIFIED');
    const before = await findScimToken(trx, connection.id);
    const token = await replaceScimToken(trx, {
      connection_id: connection.id,
      created_by: userOf(ctx).id,
    });
    const made = await findScimToken(trx, connection.id);
    await audit({
      action: 'scim.token_create',
      target_kind: 'sso_connection',
      target_id: connection.public_id,
      before: { scim_token: before?.hint ?? null },
      after: { scim_token: made?.hint ?? null },
    });
    return { status: 201, body: { token, settings: scimSettingsOut(ctx.config, made) } } as const;
  });
};
