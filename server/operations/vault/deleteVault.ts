import { deleteVaultRow } from '../../db/vault/vaults';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { noVault } from './lock';

export const deleteVault: Handler<'deleteVault'> = async ({ ctx }) => {
  await ctx.write(async ({ trx, audit }) => {
    if (!(await deleteVaultRow(trx, userOf(ctx).id))) throw noVault();
    await audit({ action: 'vault.delete', target_kind: 'vault', team_id: null });
  });
  return { status: 204 };
};
