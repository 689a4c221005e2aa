import { deleteTotpRow } from '../../db/accounts/totp';
import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';
import { factorRemoved, lockCaller } from './factorChange';

/**
 * Also allowed where a team requires a second factor; the user then can't enter that team until they add
 * one.
 */
export const deleteTotp: Handler<'deleteTotp'> = async ({ ctx }) => {
  await ctx.write(async ({ trx, audit }) => {
    const user = await lockCaller(ctx, trx);
    if (!(await deleteTotpRow(trx, user.id)))
      throw new Problem('SECOND_FACTOR_MISSING', { message: 'No authenticator app is set up.' });
    await factorRemoved(ctx, trx, user, { method: 'totp', name: null });
    await audit({ action: 'totp.delete', target_kind: 'user', target_id: user.public_id, team_id: null });
  });
  return { status: 204 };
};
