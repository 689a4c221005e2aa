import type { NotificationKind } from '../../domain/notifications/notify';

/**
 * One row per notification kind for which a member overrides the default of their role (migration
 * 0013_notifications).
 */
export interface NotificationPreferencesTable {
  team_id: number;
  user_id: number;
  kind: NotificationKind;
  console: boolean;
  mail: boolean;
}
