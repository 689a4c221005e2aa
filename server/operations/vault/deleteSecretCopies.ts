import { deleteCopies } from '../../db/vault/vaults';
import { Problem } from '../../domain/core/problem';
import { appOf } from '../apps/appId';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const deleteSecretCopies: Handler<'deleteSecretCopies'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  await ctx.write(async ({ trx, audit }) => {
    const gone = await deleteCopies(trx, userOf(ctx).id, app.id);
    if (gone === 0)
      throw new Problem('NOT_FOUND', { message: "You have no backup copies of this app's secrets." });
    await audit({
      action: 'secret_copy.delete',
      target_kind: 'app',
      target_id: app.app_id,
      before: { copies: gone },
    });
  });
  return { status: 204 };
};
