import type { AdminAffectedUser, AdminAnnouncement, Announcement } from '../../../generated/api/types.gen';
import { iso, type Stored } from '../core/references';

type Moments =
  | 'starts_at'
  | 'ends_at'
  | 'published_at'
  | 'ended_at'
  | 'notified_at'
  | 'created_at'
  | 'updated_at';
export type AdminAnnouncementFields = Stored<AdminAnnouncement, Moments>;

export const adminAnnouncementOut = (row: AdminAnnouncementFields): AdminAnnouncement => ({
  id: row.id,
  title: row.title,
  text: row.text,
  state: row.state,
  severity: row.severity,
  audience: row.audience,
  workspaces: row.workspaces,
  teepod_id: row.teepod_id,
  node_id: row.node_id,
  kms_id: row.kms_id,
  os_image_id: row.os_image_id,
  starts_at: iso(row.starts_at),
  ends_at: iso(row.ends_at),
  dismissible: row.dismissible,
  link: row.link,
  notify: row.notify,
  dismissed_count: row.dismissed_count,
  created_by: row.created_by,
  published_at: iso(row.published_at),
  ended_at: iso(row.ended_at),
  notified_at: iso(row.notified_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const adminAffectedUserOut = (row: Stored<AdminAffectedUser, 'dismissed_at'>): AdminAffectedUser => ({
  ...row,
  dismissed_at: iso(row.dismissed_at),
});

export const announcementOut = ({
  public_id,
  since,
  ...row
}: Omit<Announcement, 'id' | 'starts_at'> & { public_id: string; since: Date }): Announcement => ({
  id: public_id,
  title: row.title,
  text: row.text,
  severity: row.severity,
  dismissible: row.dismissible,
  link: row.link,
  starts_at: since.toISOString(),
});
