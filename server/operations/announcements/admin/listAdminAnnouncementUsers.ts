import { adminAffectedUsers, adminAnnouncements } from '../../../db/announcements/adminAnnouncements';
import { adminOne } from '../../../db/core/adminList';
import { isForFew } from '../../../db/announcements/announcements';
import type { Handler } from '../../types';
import { listOf, missing } from '../../core/admin/resource';
import { announcements, announcementUsers } from '../../core/admin/resourcesContent';

/** Also works for drafts: lists who would see the announcement if it were published now. */
export const listAdminAnnouncementUsers: Handler<'listAdminAnnouncementUsers'> = async (call) => {
  const { db } = call.ctx;
  const found = await adminOne(db, adminAnnouncements, call.path.id);
  if (!found) throw missing(announcements, call.path.id);
  const source = adminAffectedUsers(found.id, { few: await isForFew(db, found) });
  return listOf({ ...announcementUsers, sourceFor: () => source })(call);
};
