import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { SsoRole, SsoRoleRule } from '../../domain/teams/sso';

/**
 * One row per team with single sign-on: its OpenID Connect provider. Written by the team's administrators
 * (migration 0006_sso).
 */
export interface SsoConnectionsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  issuer: string;
  client_id: string;
  /** Null for a public client. */
  sealed_client_secret: string | null;
  /** Lowercase ASCII (RFC 5890 A-labels). */
  domain: string;
  /** TXT record value that proves the domain; a new domain or issuer needs a new one. */
  domain_challenge: string;
  domain_verified_at: Date | null;
  enforced: Generated<boolean>;
  require_email_verified: Generated<boolean>;
  /** Last check of the TXT record. */
  domain_checked_at: Date | null;
  /** Last check that found it. */
  domain_seen_at: Date | null;
  /** First of the latest consecutive checks that did not find it; null while it is there. */
  domain_missing_since: Date | null;
  /** Set while the record is missing: no sign-in, no enforcement. Restored with the record. */
  suspended_at: Date | null;
  default_role: SsoRole;
  role_claim: string | null;
  /** The first match applies. */
  role_rules: ColumnType<SsoRoleRule[], string | undefined, string>;
  last_sign_in_at: Date | null;
  /** Why the last sign-in or check failed; null after a success. */
  last_error: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type SsoConnectionRow = Selectable<SsoConnectionsTable>;
