import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** Tables of people's vaults; the columns' meaning stands in migration 0015_secret_copies. */

export interface VaultsTable {
  user_id: number;
  public_key: Buffer;
  created_at: Generated<Date>;
}

export interface VaultLocksTable {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  kind: 'passphrase' | 'passkey';
  name: string;
  salt: Buffer;
  iterations: number | null;
  credential_id: string | null;
  wrapped_key: Buffer;
  created_at: Generated<Date>;
}

export interface SecretCopiesTable {
  user_id: number;
  app_id: number;
  env_digest: Buffer;
  team_id: number;
  ciphertext: Buffer;
  updated_at: Generated<Date>;
}

export interface VaultTables {
  vaults: VaultsTable;
  vault_locks: VaultLocksTable;
  secret_copies: SecretCopiesTable;
}

export type VaultRow = Selectable<VaultsTable>;
export type VaultLockRow = Selectable<VaultLocksTable>;
export type SecretCopyRow = Selectable<SecretCopiesTable>;
