import { findVault, insertLock, insertVault } from '../../db/vault/vaults';
import { Problem } from '../../domain/core/problem';
import { vaultOut } from '../../domain/vault/vaultResponse';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { newLock, noVault } from './lock';

export const createVault: Handler<'createVault'> = async ({ body, ctx }) => {
  const lock = newLock(body.lock);
  const user_id = userOf(ctx).id;
  return ctx.write(async ({ trx, audit }) => {
    if (!(await insertVault(trx, user_id, Buffer.from(body.public_key, 'hex'))))
      throw new Problem('CONFLICT', {
        message: 'You already have a vault.',
        suggestions: ['Open it, or delete it with all its contents and set up a new one.'],
      });
    await insertLock(trx, user_id, lock);
    await audit({
      action: 'vault.create',
      target_kind: 'vault',
      team_id: null,
      after: { public_key: body.public_key, lock: { kind: lock.kind, name: lock.name } },
    });
    const made = await findVault(trx, user_id);
    if (!made) throw noVault();
    return { status: 201, body: vaultOut(made) } as const;
  });
};
