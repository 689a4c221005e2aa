import { dismiss, shownAnnouncement } from '../../db/announcements/announcements';
import { Problem } from '../../domain/core/problem';
import type { Handler } from '../types';
import { readerOf } from './reader';

/** Dismissing a notice needs no audit entry. Dismissing it twice is no error. */
export const dismissAnnouncement: Handler<'dismissAnnouncement'> = async ({ path, ctx }) => {
  const reader = readerOf(ctx);
  await ctx.writeUnaudited(async (trx) => {
    const found = await shownAnnouncement(trx, reader, path.announcement_id);
    if (!found) throw new Problem('NOT_FOUND', { message: 'This announcement no longer exists.' });
    if (!found.dismissible)
      throw new Problem('CONFLICT', { message: "This announcement can't be dismissed." });
    await dismiss(trx, found.id, reader.user_id);
  });
  return { status: 204 };
};
