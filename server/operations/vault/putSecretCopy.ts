import { lockVault, putCopy } from '../../db/vault/vaults';
import { Problem } from '../../domain/core/problem';
import { copyOut } from '../../domain/vault/vaultResponse';
import { appOf } from '../apps/appId';
import { userOf, teamOf } from '../core/caller';
import type { Handler } from '../types';
import { noVault } from './lock';

/**
 * The vault may have been deleted and recreated in another tab: a copy sealed to the old key would be lost
 * silently.
 */
export const putSecretCopy: Handler<'putSecretCopy'> = async ({ path, body, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const user_id = userOf(ctx).id;
  return ctx.write(async ({ trx, audit }) => {
    const found = await lockVault(trx, user_id);
    if (!found) throw noVault();
    if (found.vault.public_key.toString('hex') !== body.public_key)
      throw new Problem('CONFLICT', {
        message: 'The copy was sealed to a different vault than your current one.',
        suggestions: ['Reload the page, then save again.'],
      });
    const kept = await putCopy(trx, {
      user_id,
      app_id: app.id,
      team_id: teamOf(ctx).id,
      env_digest: Buffer.from(body.env_digest, 'hex'),
      ciphertext: Buffer.from(body.ciphertext, 'hex'),
    });
    await audit({
      action: 'secret_copy.put',
      target_kind: 'app',
      target_id: app.app_id,
      after: { env_digest: body.env_digest },
    });
    return { status: 200, body: copyOut(kept) } as const;
  });
};
