import type { Generated, GeneratedAlways, Selectable } from 'kysely';

export type AnnouncementState = 'draft' | 'scheduled' | 'live' | 'ended';

type Audience = 'everybody' | 'workspaces' | 'teepod' | 'node' | 'kms' | 'os_image';

/** One row per announcement. Written by administrators (migration 0022_announcements). */
export interface AnnouncementsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  title: string;
  text: string;
  severity: Generated<'info' | 'warning' | 'critical'>;
  audience: Generated<Audience>;
  /** Set for the audience `teepod`; the next three columns likewise. */
  teepod_id: number | null;
  node_id: number | null;
  kms_id: number | null;
  os_image_id: number | null;
  /** Null: as soon as it is published. */
  starts_at: Date | null;
  /** Null: until an administrator ends it. */
  ends_at: Date | null;
  dismissible: Generated<boolean>;
  link: string | null;
  /** Also sent as a notification and by email. */
  notify: Generated<boolean>;
  /** Null for a draft. */
  published_at: Date | null;
  /** When an administrator ended it; null otherwise. */
  ended_at: Date | null;
  /** When every recipient had been notified. */
  notified_at: Date | null;
  /** Internal ID of the last user notified; the job resumes after it. */
  notified_until: Generated<number>;
  /** State last pushed to open pages, which reload when it changes. */
  told_state: Generated<AnnouncementState>;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type AnnouncementRow = Selectable<AnnouncementsTable>;
