import { deleteTotpRow } from '../../db/totp';
import { Problem } from '../../domain/problem';
import type { Handler } from '../types';
import { factorRemoved, holdPerson } from './factorChange';

/** Allowed also where a team asks for a second factor: that team is then closed to the person until they have one. */
export const deleteTotp: Handler<'deleteTotp'> = async ({ ctx }) => {
  await ctx.write(async ({ trx, audit }) => {
    const user = await holdPerson(ctx, trx);
    if (!(await deleteTotpRow(trx, user.id)))
      throw new Problem('SECOND_FACTOR_MISSING', { message: 'No authenticator app is set up.' });
    await factorRemoved(ctx, trx, user, { method: 'totp', name: null });
    await audit({ action: 'totp.delete', target_kind: 'user', target_id: user.public_id, team_id: null });
  });
  return { status: 204 };
};
