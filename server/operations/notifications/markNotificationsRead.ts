import { countUnread, markRead } from '../../db/notifications/notificationLists';
import { Problem } from '../../domain/core/problem';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { teamIdsToEnter } from './settings';

/** Reading one's own notifications needs no audit entry. */
export const markNotificationsRead: Handler<'markNotificationsRead'> = async ({ body, ctx }) => {
  if ((body.ids === undefined) === (body.all !== true))
    throw new Problem('VALIDATION_FAILED', {
      message: 'ids: Send ids or all.',
      details: [{ field: 'ids', message: 'Send ids or all.' }],
    });
  const { id } = userOf(ctx);
  const team_ids = await teamIdsToEnter(ctx);
  const unread = await ctx.writeUnaudited(async (trx) => {
    await markRead(trx, id, team_ids, body.ids ?? null);
    return countUnread(trx, id, team_ids);
  });
  return { status: 200, body: { unread } };
};
