import type { Generated, GeneratedAlways } from 'kysely';

/**
 * One row per device sign-in (RFC 8628). Written when a client requests a code, updated when a user approves
 * or denies it (migration 0001_foundation).
 */
export interface DeviceAuthorizationsTable {
  id: GeneratedAlways<number>;
  device_code_hash: Buffer;
  /** Code the user types on the approval page. */
  user_code: string;
  client_id: string;
  scopes: string[];
  state: Generated<'pending' | 'approved' | 'denied' | 'used'>;
  /** Team the token will be for; null until approved. */
  team_id: number | null;
  /** User who decided; null while pending. */
  user_id: number | null;
  /** Address of the client that requested the code. */
  ip: string | null;
  user_agent: string | null;
  poll_interval_seconds: number;
  last_polled_at: Date | null;
  /** Approved in a session opened by single sign-on. */
  via_sso: Generated<boolean>;
  created_at: Generated<Date>;
  expires_at: Date;
}
