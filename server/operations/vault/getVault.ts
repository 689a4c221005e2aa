import { findVault } from '../../db/vaults';
import { vaultOut } from '../../domain/wire/vault';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

export const getVault: Handler<'getVault'> = async ({ ctx }) => {
  const found = await findVault(ctx.db, personOf(ctx).id);
  return { status: 200, body: { vault: found && vaultOut(found) } };
};
