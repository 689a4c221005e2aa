import type { Generated, GeneratedAlways } from 'kysely';

/**
 * One row per API token of a member. Written when a member creates one or a device sign-in completes
 * (migration 0001_foundation).
 */
export interface ApiTokensTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  user_id: number;
  name: string;
  token_hash: Buffer;
  /** Displayed, like `token_last4`. */
  token_prefix: string;
  token_last4: Generated<string>;
  scopes: string[];
  created_at: Generated<Date>;
  last_used_at: Date | null;
  last_used_ip: string | null;
  /** Null: never. */
  expires_at: Date | null;
  revoked_at: Date | null;
  /** Created in a session opened by single sign-on. */
  via_sso: Generated<boolean>;
  /** API version of requests that name none; null: the server's default (migration 0042_api_versions). */
  default_version: string | null;
}
