import type { Selectable } from 'kysely';

/**
 * One row per single sign-on in progress. Deleted by the response it waits for, so that a response counts
 * once (migration 0006_sso).
 */
export interface SsoSignInsTable {
  state_hash: Buffer;
  /** Hash of the cookie in the browser that started it (RFC 6749 §10.12). */
  browser_hash: Buffer;
  /** Null for a sign-in of platform staff. */
  connection_id: number | null;
  nonce: string;
  sealed_code_verifier: string;
  /** Page to open afterward; null for the default. */
  next: string | null;
  expires_at: Date;
}

export type SsoSignInRow = Selectable<SsoSignInsTable>;
