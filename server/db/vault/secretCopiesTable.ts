import type { Generated, Selectable } from 'kysely';

/**
 * One row per sealed environment a user keeps a copy of in their vault. Deleted when the user leaves the team
 * (migration 0015_secret_copies).
 */
export interface SecretCopiesTable {
  user_id: number;
  app_id: number;
  /** SHA-256 of the sealed environment it belongs to. */
  env_digest: Buffer;
  team_id: number;
  /** Sealed to the vault's key; the server cannot open it. */
  ciphertext: Buffer;
  updated_at: Generated<Date>;
}

export type SecretCopyRow = Selectable<SecretCopiesTable>;
