import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per user. Written at registration, on accepting an invitation, or at the first single sign-on
 * (migration 0001_foundation).
 */
export interface UsersTable {
  id: GeneratedAlways<number>;
  public_id: string;
  email: string;
  username: string;
  avatar: Generated<string>;
  /** Null for users without a password. */
  password_hash: string | null;
  /** Staff role; null for everyone else. */
  platform_role: 'support' | 'finance' | 'infra' | 'admin' | null;
  state: Generated<'active' | 'suspended' | 'deleted'>;
  email_verified_at: Date | null;
  /** Since when the user has a second factor; null for none. Stored here because every request checks it. */
  second_factor_at: Date | null;
  password_changed_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type UserRow = Selectable<UsersTable>;
