import { listCopies } from '../../db/vault/vaults';
import { copyOut } from '../../domain/vault/vaultResponse';
import { appOf } from '../apps/appId';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const listSecretCopies: Handler<'listSecretCopies'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const copies = await listCopies(ctx.db, userOf(ctx).id, app.id);
  return { status: 200, body: { items: copies.map(copyOut) } };
};
