import type { Generated } from 'kysely';

/** One row per announcement a user has dismissed (migration 0022_announcements). */
export interface AnnouncementDismissalsTable {
  announcement_id: number;
  user_id: number;
  dismissed_at: Generated<Date>;
}
