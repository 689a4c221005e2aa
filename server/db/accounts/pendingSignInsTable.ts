import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per sign-in that still needs a second factor. Written after the password or single sign-on is
 * accepted, deleted when it is completed (migration 0003_people).
 */
export interface PendingSignInsTable {
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  user_id: number;
  auth_method: 'password' | 'sso' | 'staff_sso' | 'break_glass';
  /** Connection signed in through; null for a password. */
  sso_connection_id: number | null;
  /** Codes tried so far. */
  attempts: Generated<number>;
  created_at: Generated<Date>;
  expires_at: Date;
}

export type PendingSignInRow = Selectable<PendingSignInsTable>;
