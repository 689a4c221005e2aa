import type { Generated, GeneratedAlways } from 'kysely';

/**
 * One row per link that `teehouse break-glass` issued. Kept after its use as a record (migration 0301_staff_sso).
 */
export interface BreakGlassLinksTable {
  id: GeneratedAlways<number>;
  token_hash: Buffer;
  user_id: number;
  reason: string;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
  /** Latest end of the session that the link opened; null until it is used. */
  session_ends_at: Date | null;
}
