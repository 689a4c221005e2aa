import { insertLock, lockVault, MAX_LOCKS } from '../../db/vault/vaults';
import { Problem } from '../../domain/core/problem';
import { vaultOut } from '../../domain/vault/vaultResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { newLock, noVault } from './lock';

export const createVaultLock: Handler<'createVaultLock'> = async ({ body, ctx }) => {
  const lock = newLock(body);
  const user_id = userOf(ctx).id;
  return ctx.write(async ({ trx, audit }) => {
    const found = await lockVault(trx, user_id);
    if (!found) throw noVault();
    if (found.locks.length >= MAX_LOCKS)
      throw new Problem('CONFLICT', {
        message: `A vault can have at most ${MAX_LOCKS} passphrases and passkeys.`,
        suggestions: ['Remove one you no longer use.'],
      });
    if (lock.credential_id !== null && found.locks.some((one) => one.credential_id === lock.credential_id))
      throw new Problem('CONFLICT', { message: 'This passkey already opens the vault.' });
    const made = await insertLock(trx, user_id, lock);
    await audit({
      action: 'vault_lock.create',
      target_kind: 'vault_lock',
      target_id: made.public_id,
      team_id: null,
      after: { kind: lock.kind, name: lock.name },
    });
    return { status: 201, body: vaultOut({ ...found, locks: [...found.locks, made] }) } as const;
  });
};
