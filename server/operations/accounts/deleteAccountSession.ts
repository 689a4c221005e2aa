import { endSession } from '../../db/accounts/accountSessions';
import { Problem } from '../../domain/core/problem';
import { userOf } from '../core/caller';
import type { Handler } from '../types';

/** Ends one of the caller's own sessions; those of other users are reported as not found. */
export const deleteAccountSession: Handler<'deleteAccountSession'> = async ({ path, ctx }) => {
  const { id } = userOf(ctx);
  return ctx.write(async ({ trx, audit }) => {
    const ended = await endSession(trx, id, path.session_id);
    if (!ended) throw new Problem('NOT_FOUND', { message: 'Session not found.' });
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
