import { lockTeamToken, renameToken } from '../../../db/teams/apiTokens';
import { Problem } from '../../../domain/core/problem';
import { tokenVersion } from '../../../domain/teams/teamVersions';
import { apiTokenOut } from '../../../domain/teams/tokenResponse';
import { userOf } from '../../core/caller';
import { checkIfMatch } from '../../core/ifMatch';
import type { Handler } from '../../types';
import { checkedName } from '../names';
import { noToken, tokenOf } from './tokenOf';

export const updateApiToken: Handler<'updateApiToken'> = async ({ path, body, ctx }) => {
  const seen = await tokenOf(ctx, path.token_id);
  if (seen.user_id !== userOf(ctx).id)
    throw new Problem('FORBIDDEN', { message: 'Only its owner can rename a token. You can revoke it.' });
  const name = checkedName(body.name);
  return ctx.write(async ({ trx, audit }) => {
    const row = await lockTeamToken(trx, seen.team_id, seen.public_id);
    if (!row) throw noToken();
    await checkIfMatch(ctx, trx, {
      version: tokenVersion,
      row,
      etag: apiTokenOut(row).etag,
      team_id: row.team_id,
      target_id: row.public_id,
      actions: ['token.rename', 'token.revoke'],
      name: row.name,
    });
    await renameToken(trx, row.id, name);
    await audit({
      action: 'token.rename',
      target_kind: 'token',
      target_id: row.public_id,
      before: { name: row.name },
      after: { name },
    });
    const changed = apiTokenOut({ ...row, name });
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};
