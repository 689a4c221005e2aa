import { lockAnnouncement } from '../../../db/adminAnnouncements';
import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { removeRow } from '../resource';
import { announcements } from '../resourcesContent';

/** What was shown to people is kept; only drafts go. */
export const deleteAdminAnnouncement: Handler<'deleteAdminAnnouncement'> = ({ path, ctx }) =>
  removeRow(ctx, announcements, path.id, {
    kind: 'announcement',
    table: 'announcements',
    lock: lockAnnouncement,
    check(_trx, { state }) {
      if (state !== 'draft')
        throw new Problem('CONFLICT', {
          message: 'It has been published, so it is kept.',
          suggestions: state === 'ended' ? [] : ['End it instead: it goes from every page.'],
        });
    },
    kept: ['title', 'text', 'severity', 'audience', 'workspaces'],
  });
