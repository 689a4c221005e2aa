import type { Generated, Selectable } from 'kysely';

/** One row per user with a vault (migration 0015_secret_copies). */
export interface VaultsTable {
  user_id: number;
  /** X25519. */
  public_key: Buffer;
  created_at: Generated<Date>;
}

export type VaultRow = Selectable<VaultsTable>;
