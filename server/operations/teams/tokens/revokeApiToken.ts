import { revokeToken } from '../../../db/teams/apiTokens';
import type { Handler } from '../../types';
import { tokenOf } from './tokenOf';

export const revokeApiToken: Handler<'revokeApiToken'> = async ({ path, ctx }) => {
  const row = await tokenOf(ctx, path.token_id);
  const done = { status: 204 } as const;
  // Revocation is permanent: repeating it is no error.
  if (row.revoked_at !== null) return done;
  return ctx.write(async ({ trx, audit }) => {
    await revokeToken(trx, { public_id: row.public_id });
    await audit({
      action: 'token.revoke',
      target_kind: 'token',
      target_id: row.public_id,
      before: { name: row.name, scopes: row.scopes, owner: row.owner_public_id },
    });
    return done;
  });
};
