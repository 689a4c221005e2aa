import { endSession } from '../../db/accountSessions';
import { Problem } from '../../domain/problem';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

/** One of the person's own; anybody else's does not exist. */
export const deleteAccountSession: Handler<'deleteAccountSession'> = async ({ path, ctx }) => {
  const { id } = personOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const ended = await endSession(trx, id, path.session_id);
    if (!ended) throw new Problem('NOT_FOUND', { message: 'You have no such session.' });
    await audit({
      action: 'session.delete',
      target_kind: 'session',
      target_id: ended.public_id,
      team_id: null,
      before: { ip: ended.ip, auth_method: ended.auth_method },
    });
    return { status: 204 } as const;
  });
};
