import { endViewAs as end } from '../../db/accounts/viewAs';
import type { Handler } from '../types';

/** Ending when not viewing as a user is no error. */
export const endViewAs: Handler<'endViewAs'> = async ({ ctx }) => {
  const { session, view_as, user } = ctx.caller;
  if (session && view_as)
    await ctx.write(async ({ trx, audit }) => {
      await end(trx, session.id);
      await audit({
        action: 'user.view_as_end',
        target_kind: 'user',
        target_id: user?.public_id ?? '',
        team_id: null,
      });
    });
  return { status: 204 };
};
