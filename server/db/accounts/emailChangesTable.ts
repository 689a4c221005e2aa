import type { Generated } from 'kysely';

/**
 * One row per user with an email change awaiting confirmation. A later request replaces it; it is deleted
 * once the change is done or canceled (migration 0003_people).
 */
export interface EmailChangesTable {
  user_id: number;
  /** New address. */
  email: string;
  /** When the link to the old mailbox was used; null until then. */
  old_confirmed_at: Date | null;
  /** When the link to the new mailbox was used; null until then. */
  new_confirmed_at: Date | null;
  created_at: Generated<Date>;
  expires_at: Date;
}
