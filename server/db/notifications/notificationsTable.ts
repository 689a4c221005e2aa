import type { Generated, GeneratedAlways } from 'kysely';
import type { NotificationKind } from '../../domain/notifications/notify';

/**
 * One row per notification of a member. A problem that recurs while open updates its row (migration
 * 0013_notifications).
 */
export interface NotificationsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  user_id: number;
  kind: NotificationKind;
  /** Its subject, with one open row each. */
  subject: string;
  severity: 'info' | 'warning' | 'error';
  title: string;
  message: string;
  cvm_id: number | null;
  /** Occurrences. */
  count: Generated<number>;
  /** Sort key; grows when the problem recurs. */
  position: Generated<number>;
  /** Sent by email only. */
  hidden: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** Null while open. */
  resolved_at: Date | null;
  read_at: Date | null;
  /** When its mail is sent; null if none is due. */
  mail_due_at: Date | null;
  mailed_at: Date | null;
  /** State reported by the last email. */
  mailed_state: 'open' | 'resolved' | null;
}
