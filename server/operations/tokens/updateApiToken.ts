import { renameToken } from '../../db/apiTokens';
import { Problem } from '../../domain/problem';
import { apiTokenOut } from '../../domain/wire/apiToken';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { checkedName } from '../workspaces/names';
import { tokenOf } from './tokenOf';

export const updateApiToken: Handler<'updateApiToken'> = async ({ path, body, ctx }) => {
  const row = await tokenOf(ctx, path.token_id);
  if (row.user_id !== personOf(ctx).id)
    throw new Problem('FORBIDDEN', { message: 'Only its owner renames a token; you can revoke it.' });
  const name = checkedName(body.name);
  return ctx.write(async ({ trx, audit }) => {
    await renameToken(trx, row.id, name);
    await audit({
      action: 'token.rename',
      target_kind: 'token',
      target_id: row.public_id,
      before: { name: row.name },
      after: { name },
    });
    return { status: 200, body: apiTokenOut({ ...row, name }) } as const;
  });
};
