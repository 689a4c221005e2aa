import { withTransaction } from '../../db/client';
import { countUnread, markRead } from '../../db/notificationLists';
import { Problem } from '../../domain/problem';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';
import { teamIdsToEnter } from './settings';

/** Not `ctx.write`: that somebody looked at their own notifications is nothing to audit. */
export const markNotificationsRead: Handler<'markNotificationsRead'> = async ({ body, ctx }) => {
  if ((body.ids === undefined) === (body.all !== true))
    throw new Problem('VALIDATION_FAILED', {
      message: 'ids: Name those that were read, or say all.',
      details: [{ field: 'ids', message: 'Name those that were read, or say all.' }],
    });
  const { id } = personOf(ctx);
  const team_ids = await teamIdsToEnter(ctx);
  const unread = await withTransaction(ctx.db, async (trx) => {
    await markRead(trx, id, team_ids, body.ids ?? null);
    return countUnread(trx, id, team_ids);
  });
  return { status: 200, body: { unread } };
};
