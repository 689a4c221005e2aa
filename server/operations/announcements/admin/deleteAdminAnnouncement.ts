import { lockAnnouncement } from '../../../db/announcements/adminAnnouncements';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { removeRow } from '../../core/admin/resource';
import { announcements } from '../../core/admin/resourcesContent';

/** Announcements that were shown are kept; only drafts can be deleted. */
export const deleteAdminAnnouncement: Handler<'deleteAdminAnnouncement'> = ({ path, ctx }) =>
  removeRow(ctx, announcements, path.id, {
    kind: 'announcement',
    table: 'announcements',
    lock: lockAnnouncement,
    check(_trx, { state }) {
      if (state !== 'draft')
        throw new Problem('CONFLICT', {
          message: "Published announcements can't be deleted.",
          suggestions: state === 'ended' ? [] : ['End it instead to remove it from every page.'],
        });
    },
    kept: ['title', 'text', 'severity', 'audience', 'workspaces'],
  });
