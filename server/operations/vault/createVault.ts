import { findVault, insertLock, insertVault } from '../../db/vaults';
import { Problem } from '../../domain/problem';
import { vaultOut } from '../../domain/wire/vault';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { newLock, noVault } from './lock';

export const createVault: Handler<'createVault'> = async ({ body, ctx }) => {
  const lock = newLock(body.lock);
  const user_id = personOf(ctx).id;
  return ctx.write(async ({ trx, audit }) => {
    if (!(await insertVault(trx, user_id, Buffer.from(body.public_key, 'hex'))))
      throw new Problem('CONFLICT', {
        message: 'You have a vault already.',
        suggestions: ['Open it, or delete it with all its copies and set up a new one.'],
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
