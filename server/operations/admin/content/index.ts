import { createAdminAnnouncement } from './createAdminAnnouncement';
import { deleteAdminAnnouncement } from './deleteAdminAnnouncement';
import { endAdminAnnouncement } from './endAdminAnnouncement';
import { getAdminAnnouncement } from './getAdminAnnouncement';
import { listAdminAnnouncements } from './listAdminAnnouncements';
import { listAdminAnnouncementUsers } from './listAdminAnnouncementUsers';
import { publishAdminAnnouncement } from './publishAdminAnnouncement';
import { updateAdminAnnouncement } from './updateAdminAnnouncement';

export const contentHandlers = {
  createAdminAnnouncement,
  deleteAdminAnnouncement,
  endAdminAnnouncement,
  getAdminAnnouncement,
  listAdminAnnouncements,
  listAdminAnnouncementUsers,
  publishAdminAnnouncement,
  updateAdminAnnouncement,
};
