import { adminOne } from '../../../db/adminList';
import { adminAnnouncements } from '../../../db/adminAnnouncements';
import type { Handler } from '../../types';
import { listOf, missing } from '../resource';
import { announcements, announcementUsers } from '../resourcesContent';

const list = listOf(announcementUsers);

/** Also of a draft: who would see it if it were published now. */
export const listAdminAnnouncementUsers: Handler<'listAdminAnnouncementUsers'> = async (call) => {
  if (!(await adminOne(call.ctx.db, adminAnnouncements, call.path.id)))
    throw missing(announcements, call.path.id);
  return list(call);
};
