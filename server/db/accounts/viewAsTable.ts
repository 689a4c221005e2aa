import type { Generated } from 'kysely';

/**
 * One row per session in which staff view the console as another user. Deleted with the session (migration
 * 0021_people).
 */
export interface ViewAsTable {
  session_id: number;
  /** User whose console is shown. */
  user_id: number;
  /** Staff user the session belongs to. */
  staff_user_id: number;
  reason: string;
  created_at: Generated<Date>;
  expires_at: Date;
}
