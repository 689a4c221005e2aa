import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** Tables of announcements; the columns' meaning stands in migration 0022_announcements. */

export type AnnouncementState = 'draft' | 'scheduled' | 'live' | 'ended';
export type Audience = 'everybody' | 'workspaces' | 'teepod' | 'node' | 'kms' | 'os_image';

export interface AnnouncementsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  title: string;
  text: string;
  severity: Generated<'info' | 'warning' | 'critical'>;
  audience: Generated<Audience>;
  teepod_id: number | null;
  node_id: number | null;
  kms_id: number | null;
  os_image_id: number | null;
  starts_at: Date | null;
  ends_at: Date | null;
  dismissible: Generated<boolean>;
  link: string | null;
  notify: Generated<boolean>;
  published_at: Date | null;
  ended_at: Date | null;
  notified_at: Date | null;
  notified_until: Generated<number>;
  told_state: Generated<AnnouncementState>;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface AnnouncementWorkspacesTable {
  announcement_id: number;
  team_id: number;
}

export interface AnnouncementDismissalsTable {
  announcement_id: number;
  user_id: number;
  dismissed_at: Generated<Date>;
}

export interface AnnouncementTables {
  announcements: AnnouncementsTable;
  announcement_workspaces: AnnouncementWorkspacesTable;
  announcement_dismissals: AnnouncementDismissalsTable;
}

export type AnnouncementRow = Selectable<AnnouncementsTable>;
