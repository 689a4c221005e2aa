import { endSessions } from '../../db/accounts/accountSessions';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

export const deleteOtherSessions: Handler<'deleteOtherSessions'> = async ({ ctx }) => {
  const { id, public_id } = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const ended = await endSessions(trx, id, ctx.caller.session?.id ?? null);
    await audit({
      action: 'session.delete_others',
      target_kind: 'user',
      target_id: public_id,
      team_id: null,
      after: { ended },
    });
    return { status: 200, body: { ended } } as const;
  });
};
