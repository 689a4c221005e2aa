import type { Generated, Selectable } from 'kysely';

/** One row per user with custom notification settings (migration 0013_notifications). */
export interface NotificationSettingsTable {
  user_id: number;
  /** IANA name; null means UTC. */
  time_zone: string | null;
  /** HH:MM in that time zone; null for no quiet hours. */
  quiet_from: string | null;
  /** HH:MM in that time zone. */
  quiet_to: string | null;
  updated_at: Generated<Date>;
}

export type NotificationSettingsRow = Selectable<NotificationSettingsTable>;
