import type { AdminAffectedUser, AdminAnnouncement, Announcement } from '../../../generated/api/types.gen';

const at = (time: Date | null) => time?.toISOString() ?? null;

type Moments = 'starts_at' | 'ends_at' | 'published_at' | 'ended_at' | 'notified_at';
export type AdminAnnouncementFields = Omit<AdminAnnouncement, Moments | 'created_at' | 'updated_at'> &
  Record<Moments, Date | null> & { created_at: Date; updated_at: Date };

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
  starts_at: at(row.starts_at),
  ends_at: at(row.ends_at),
  dismissible: row.dismissible,
  link: row.link,
  notify: row.notify,
  dismissed_count: row.dismissed_count,
  created_by: row.created_by,
  published_at: at(row.published_at),
  ended_at: at(row.ended_at),
  notified_at: at(row.notified_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const adminAffectedUserOut = (
  row: Omit<AdminAffectedUser, 'dismissed_at'> & { dismissed_at: Date | null },
): AdminAffectedUser => ({ ...row, dismissed_at: at(row.dismissed_at) });

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
