import { changeToken, lockTeamToken } from '../../../db/teams/apiTokens';
import { Problem } from '../../../domain/core/problem';
import { tokenVersion } from '../../../domain/teams/teamVersions';
import { apiTokenOut } from '../../../domain/teams/tokenResponse';
import { userOf } from '../../core/caller';
import { checkIfMatch } from '../../core/ifMatch';
import type { Handler } from '../../types';
import { checkedName } from '../names';
import { noToken, tokenOf } from './tokenOf';

export const updateApiToken: Handler<'updateApiToken'> = async ({ path, body, ctx }) => {
  if (body.name === undefined && body.default_version === undefined)
    throw new Problem('VALIDATION_FAILED', { message: 'Send name or default_version.' });
  const seen = await tokenOf(ctx, path.token_id);
  if (seen.user_id !== userOf(ctx).id)
    throw new Problem('FORBIDDEN', { message: 'Only its owner can change a token. You can revoke it.' });
  const name = body.name === undefined ? undefined : checkedName(body.name);
  return ctx.write(async ({ trx, audit }) => {
    const row = await lockTeamToken(trx, seen.team_id, seen.public_id);
    if (!row) throw noToken();
    await checkIfMatch(ctx, trx, {
      version: tokenVersion,
      row,
      etag: apiTokenOut(row).etag,
      team_id: row.team_id,
      target_id: row.public_id,
      actions: ['token.rename', 'token.default_version', 'token.revoke'],
      name: row.name,
    });
    const before = { name: row.name, default_version: row.default_version };
    const after = {
      name: name ?? row.name,
      default_version: body.default_version === undefined ? row.default_version : body.default_version,
    };
    await changeToken(trx, row.id, after);
    const target = { target_kind: 'token', target_id: row.public_id } as const;
    if (name !== undefined)
      await audit({
        action: 'token.rename',
        ...target,
        before: { name: before.name },
        after: { name: after.name },
      });
    if (body.default_version !== undefined)
      await audit({ action: 'token.default_version', ...target, before, after });
    const changed = apiTokenOut({ ...row, ...after });
    return { status: 200, headers: { ETag: changed.etag }, body: changed } as const;
  });
};
