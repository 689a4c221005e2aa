import type { Generated } from 'kysely';

/** One row per authenticator app of a user. Written when setup starts (migration 0003_people). */
export interface TotpCredentialsTable {
  user_id: number;
  /** Sealed rather than hashed: the server needs it to verify codes. */
  sealed_secret: string;
  /** Null until setup is completed. */
  confirmed_at: Date | null;
  /** Time step of the last accepted code: each code works once (RFC 6238 §5.2). */
  last_step: number | null;
  last_used_at: Date | null;
  created_at: Generated<Date>;
}
