import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** One row per passkey registered by a user (migration 0003_people). */
export interface PasskeysTable {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  credential_id: Buffer;
  public_key: Buffer;
  /** Signature counter of the last assertion. */
  counter: number;
  transports: Generated<string[]>;
  name: string;
  /** Backed up by the passkey provider. */
  synced: boolean;
  created_at: Generated<Date>;
  last_used_at: Date | null;
}

export type PasskeyRow = Selectable<PasskeysTable>;
