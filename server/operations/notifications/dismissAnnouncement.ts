import { dismiss, shownAnnouncement } from '../../db/announcements';
import { withTransaction } from '../../db/client';
import { Problem } from '../../domain/problem';
import { personOf } from '../shared/caller';
import type { Handler } from '../types';

/** Not `ctx.write`: that somebody closed a notice is nothing to audit. Closing it twice is no mistake. */
export const dismissAnnouncement: Handler<'dismissAnnouncement'> = async ({ path, ctx }) => {
  const { id } = personOf(ctx);
  await withTransaction(ctx.db, async (trx) => {
    const found = await shownAnnouncement(trx, id, path.announcement_id);
    if (!found) throw new Problem('NOT_FOUND', { message: 'There is no such announcement any more.' });
    if (!found.dismissible)
      throw new Problem('CONFLICT', { message: 'This announcement stays until it is over.' });
    await dismiss(trx, found.id, id);
  });
  return { status: 204 };
};
