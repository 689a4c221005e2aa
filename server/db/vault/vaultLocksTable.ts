import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per way to unlock a user's vault: the vault's private key, wrapped by a passphrase or a passkey
 * (migration 0015_secret_copies).
 */
export interface VaultLocksTable {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  kind: 'passphrase' | 'passkey';
  name: string;
  /** 32 bytes. */
  salt: Buffer;
  /** Set for a passphrase only. */
  iterations: number | null;
  /** Set for a passkey only. */
  credential_id: string | null;
  wrapped_key: Buffer;
  created_at: Generated<Date>;
}

export type VaultLockRow = Selectable<VaultLocksTable>;
