import { endViewAs as end } from '../../db/viewAs';
import type { Handler } from '../types';

/** Whoever looks as nobody has nothing to end: that is no mistake. */
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
