import { deleteLock, lockVault } from '../../db/vault/vaults';
import { Problem } from '../../domain/core/problem';
import { vaultOut } from '../../domain/vault/vaultResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { noVault } from './lock';

export const deleteVaultLock: Handler<'deleteVaultLock'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const found = await lockVault(trx, userOf(ctx).id);
    if (!found) throw noVault();
    const lock = found.locks.find((one) => one.public_id === path.lock_id);
    if (!lock) throw new Problem('NOT_FOUND', { message: 'Passphrase or passkey not found in your vault.' });
    if (found.locks.length === 1)
      throw new Problem('CONFLICT', {
        message: 'This is the only way to open the vault.',
        suggestions: ['Add another first, or delete the vault.'],
      });
    await deleteLock(trx, lock.id);
    await audit({
      action: 'vault_lock.delete',
      target_kind: 'vault_lock',
      target_id: lock.public_id,
      team_id: null,
      before: { kind: lock.kind, name: lock.name },
    });
    const locks = found.locks.filter((one) => one.id !== lock.id);
    return { status: 200, body: vaultOut({ ...found, locks }) } as const;
  });
