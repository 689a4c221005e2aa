import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { SsoRole } from '../../domain/teams/sso';

/** One row per connection whose provider may provision users. Written by the team's administrators (migration 0304_scim). */
export interface ScimTokensTable {
  connection_id: number;
  token_hash: Buffer;
  token_prefix: string;
  token_last4: string;
  created_by: number | null;
  created_at: Generated<Date>;
  /** To the minute. */
  last_used_at: Date | null;
}

/** One row per user of an identity provider. Written by its SCIM requests (migration 0304_scim). */
export interface ScimUsersTable {
  id: GeneratedAlways<number>;
  public_id: string;
  connection_id: number;
  user_name: string;
  /** Normalized. */
  email: string;
  external_id: string | null;
  display_name: string | null;
  formatted_name: string | null;
  given_name: string | null;
  family_name: string | null;
  active: boolean;
  /** Null while the account's owner has yet to confirm the link, and once the account is deleted. */
  user_id: number | null;
  /**
   * Whether the issuer may open that account without a confirmation: it created the account, or was its only
   * way in until a deactivation.
   */
  issuer_opens_account: Generated<boolean>;
  /** Role of the membership that a deactivation ended, for a reactivation. */
  former_role: SsoRole | null;
  /** Whether the provider kept that role in sync. */
  former_role_synced: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** Set instead of deleting the row: the address can't sign in until it is provisioned again. */
  deleted_at: Date | null;
}

export type ScimUserRow = Selectable<ScimUsersTable>;
