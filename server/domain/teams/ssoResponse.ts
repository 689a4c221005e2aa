import type { SsoConnection } from '../../../generated/api/types.gen';
import { suspensionAt, txtName, txtValue, type SsoRole, type SsoRoleRule } from './sso';

interface ConnectionFields {
  public_id: string;
  issuer: string;
  client_id: string;
  sealed_client_secret: string | null;
  domain: string;
  domain_challenge: string;
  domain_verified_at: Date | null;
  domain_checked_at: Date | null;
  domain_missing_since: Date | null;
  suspended_at: Date | null;
  enforced: boolean;
  require_email_verified: boolean;
  default_role: SsoRole;
  role_claim: string | null;
  role_rules: SsoRoleRule[];
  last_sign_in_at: Date | null;
  last_error: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Returns a connection without its client secret: callers see only whether there is one. */
export const ssoConnectionOut = (row: ConnectionFields): SsoConnection => ({
  id: row.public_id,
  issuer: row.issuer,
  client_id: row.client_id,
  has_client_secret: row.sealed_client_secret !== null,
  domain: row.domain,
  domain_verified_at: row.domain_verified_at?.toISOString() ?? null,
  domain_checked_at: row.domain_checked_at?.toISOString() ?? null,
  domain_missing_since: row.domain_missing_since?.toISOString() ?? null,
  suspends_at:
    row.domain_missing_since && row.suspended_at === null
      ? suspensionAt(row.domain_missing_since).toISOString()
      : null,
  suspended_at: row.suspended_at?.toISOString() ?? null,
  txt_name: txtName(row.domain),
  txt_value: txtValue(row.domain_challenge),
  enforced: row.enforced,
  require_email_verified: row.require_email_verified,
  default_role: row.default_role,
  role_claim: row.role_claim,
  role_rules: row.role_rules,
  last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  last_error: row.last_error,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
