import type { Generated, GeneratedAlways } from 'kysely';

/** One row per recovery code of a user. Written when a set of codes is generated (migration 0003_people). */
export interface RecoveryCodesTable {
  id: GeneratedAlways<number>;
  user_id: number;
  code_hash: Buffer;
  /** Identifies the secret that hashed it; null for codes from before migration 0302_recovery_code_secrets. */
  hashed_with: string | null;
  created_at: Generated<Date>;
  /** Null until the code is used. */
  used_at: Date | null;
}
