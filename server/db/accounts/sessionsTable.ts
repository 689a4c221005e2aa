import type { Generated, GeneratedAlways, Selectable } from 'kysely';

export type AuthMethod =
  | 'password'
  | 'passkey'
  | 'sso'
  /** The staff identity provider. */
  | 'staff_sso'
  /** A link from `teehouse break-glass`. */
  | 'break_glass'
  | 'registration'
  | 'invitation';

/**
 * One row per session of a user. Written at sign-in, deleted at sign-out or expiry (migration
 * 0001_foundation).
 */
export interface SessionsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  token_hash: Buffer;
  user_id: number;
  ip: string | null;
  user_agent: string | null;
  auth_method: Generated<AuthMethod>;
  /** Connection that opened the session; null for other methods. */
  sso_connection_id: number | null;
  /** When this session passed a second factor; null if it has not. */
  second_factor_at: Date | null;
  /** When the user last proved their identity: at sign-in and at each step-up. */
  confirmed_at: Generated<Date>;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
}

export type SessionRow = Selectable<SessionsTable>;
