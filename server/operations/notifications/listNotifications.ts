import { countUnread, listNotifications as listRows } from '../../db/notifications/notificationLists';
import { notificationOut } from '../../domain/notifications/notificationResponse';
import { idOfCursor, keysetPage } from '../activity/cursor';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { teamIdsToEnter } from './settings';

export const listNotifications: Handler<'listNotifications'> = async ({ query, ctx }) => {
  const { id: user_id } = userOf(ctx);
  const limit = query.limit ?? 50;
  const before = idOfCursor(query.cursor) ?? null;
  const team_ids = await teamIdsToEnter(ctx);
  const [rows, unread] = await Promise.all([
    listRows(ctx.db, { user_id, team_ids, unread: query.state === 'unread', before, limit: limit + 1 }),
    countUnread(ctx.db, user_id, team_ids),
  ]);
  const page = keysetPage(rows, limit, { id: ({ position }) => position, to: notificationOut });
  return { status: 200, body: { ...page, unread } };
};
