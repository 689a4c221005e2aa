import { lockAnnouncement } from '../../../db/adminAnnouncements';
import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { keysOf } from '../change';
import { missing } from '../resource';
import { announcements } from '../resourcesContent';

/** What was shown to people is kept; only drafts go. */
export const deleteAdminAnnouncement: Handler<'deleteAdminAnnouncement'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const row = await lockAnnouncement(trx, path.id);
    if (!row) throw missing(announcements, path.id);
    if (row.state !== 'draft')
      throw new Problem('CONFLICT', {
        message: 'It has been published, so it is kept.',
        suggestions: row.state === 'ended' ? [] : ['End it instead: it goes from every page.'],
      });
    await trx.deleteFrom('announcements').where('id', '=', path.id).execute();
    await audit({
      action: 'announcement.delete',
      target_kind: 'announcement',
      target_id: String(path.id),
      before: keysOf(row, ['title', 'text', 'severity', 'audience', 'workspaces']),
    });
    return { status: 204 } as const;
  });
