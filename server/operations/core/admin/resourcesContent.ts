import { adminAffectedUsers, adminAnnouncements } from '../../../db/announcements/adminAnnouncements';
import {
  adminAffectedUserOut,
  adminAnnouncementOut,
} from '../../../domain/announcements/announcementResponse';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const announcements = resource({
  name: 'announcements',
  singular: 'announcement',
  source: adminAnnouncements,
  out: adminAnnouncementOut,
  version: (row) => row.updated_at,
});

/** For the announcement in the path. */
export const announcementUsers = resource({
  name: 'affected-users',
  singular: 'user',
  source: adminAffectedUsers(0),
  sourceFor: (_ctx, { id }) => adminAffectedUsers(Number(id)),
  out: adminAffectedUserOut,
  version: (row) => row.dismissed_at ?? new Date(0),
});
