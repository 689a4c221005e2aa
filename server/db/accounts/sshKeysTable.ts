import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** One row per SSH public key of a user (migration 0001_foundation). */
export interface SshKeysTable {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  name: string;
  public_key: string;
  fingerprint: string;
  key_type: string;
  /** How the key was added; `manual` by default. */
  source: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** GitHub account it was imported from; null for other keys. */
  github_username: string | null;
  key_metadata: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  /** Null for keys that were never synced. */
  last_synced_at: Date | null;
}
