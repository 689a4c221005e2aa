import type { AnnouncementReader } from '../../db/announcements/announcements';
import { userOf } from '../core/caller';
import type { Context } from '../types';

/** A session opened by single sign-on doesn't see announcements for its user's other teams. */
export const readerOf = (ctx: Context): AnnouncementReader => ({
  user_id: userOf(ctx).id,
  team_id: ctx.caller.session?.sso_team_id ?? null,
});
