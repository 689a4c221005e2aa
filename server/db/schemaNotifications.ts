import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { NotificationKind } from '../domain/notify';

/** Tables of notifications; the columns' meaning stands in migration 0013_notifications. */

export interface NotificationsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  user_id: number;
  kind: NotificationKind;
  subject: string;
  severity: 'info' | 'warning' | 'error';
  title: string;
  message: string;
  cvm_id: number | null;
  count: Generated<number>;
  position: Generated<number>;
  hidden: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  resolved_at: Date | null;
  read_at: Date | null;
  mail_due_at: Date | null;
  mailed_at: Date | null;
  mailed_state: 'open' | 'resolved' | null;
}

export interface NotificationPreferencesTable {
  team_id: number;
  user_id: number;
  kind: NotificationKind;
  console: boolean;
  mail: boolean;
}

export interface NotificationSettingsTable {
  user_id: number;
  time_zone: string | null;
  quiet_from: string | null;
  quiet_to: string | null;
  updated_at: Generated<Date>;
}

export interface HostTroublesTable {
  teepod_id: number;
  since: Generated<Date>;
  told_at: Date | null;
}

export interface NotificationTables {
  notifications: NotificationsTable;
  notification_preferences: NotificationPreferencesTable;
  notification_settings: NotificationSettingsTable;
  host_troubles: HostTroublesTable;
}

export type NotificationRow = Selectable<NotificationsTable>;
export type NotificationSettingsRow = Selectable<NotificationSettingsTable>;
