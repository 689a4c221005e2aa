import { listCopies } from '../../db/vaults';
import { copyOut } from '../../domain/wire/vault';
import { appOf } from '../apps/appId';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const listSecretCopies: Handler<'listSecretCopies'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const copies = await listCopies(ctx.db, personOf(ctx).id, app.id);
  return { status: 200, body: { items: copies.map(copyOut) } };
};
