import { adminAffectedUsers, adminAnnouncements } from '../../../db/adminAnnouncements';
import { adminOne } from '../../../db/adminList';
import { isForFew } from '../../../db/announcements';
import type { Handler } from '../../types';
import { listOf, missing } from '../resource';
import { announcements, announcementUsers } from '../resourcesContent';

/** Also of a draft: who would see it if it were published now. */
export const listAdminAnnouncementUsers: Handler<'listAdminAnnouncementUsers'> = async (call) => {
  const { db } = call.ctx;
  const found = await adminOne(db, adminAnnouncements, call.path.id);
  if (!found) throw missing(announcements, call.path.id);
  const source = adminAffectedUsers(found.id, { few: await isForFew(db, found) });
  return listOf({ ...announcementUsers, sourceFor: () => source })(call);
};
