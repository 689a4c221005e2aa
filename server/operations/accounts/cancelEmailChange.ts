import { dropEmailChange, findEmailChange } from '../../db/accounts/emailChanges';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const cancelEmailChange: Handler<'cancelEmailChange'> = async ({ ctx }) => {
  const { id, public_id } = userOf(ctx);
  const change = await findEmailChange(ctx.db, id);
  if (change)
    await ctx.write(async ({ trx, audit }) => {
      await dropEmailChange(trx, id);
      await audit({
        action: 'user.email_change_cancel',
        target_kind: 'user',
        target_id: public_id,
        team_id: null,
        before: { asked: change.email },
      });
    });
  return { status: 204 };
};
