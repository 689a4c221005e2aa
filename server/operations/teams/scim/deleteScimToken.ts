import { findScimToken, revokeScimToken } from '../../../db/teams/scimTokens';
import { lockConnection } from '../../../db/teams/sso';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { noConnection, tokenRevoked } from '../sso/connection';

export const deleteScimToken: Handler<'deleteScimToken'> = async ({ ctx }) => {
  const team = teamOf(ctx);
  return ctx.write(async ({ trx, audit, unchanged }) => {
    const connection = await lockConnection(trx, team.id);
    if (!connection) throw noConnection();
    const before = await findScimToken(trx, connection.id);
    const revoked = { status: 204 } as const;
    if (!before) return unchanged(revoked);
    await revokeScimToken(trx, connection.id);
    await audit(tokenRevoked(connection, before));
    return revoked;
  });
};
