import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { SsoRole, SsoRoleRule } from '../domain/sso';

/** Tables of single sign-on; the columns' meaning stands in migration 0006_sso. */

export interface SsoConnectionsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  issuer: string;
  client_id: string;
  sealed_client_secret: string | null;
  domain: string;
  domain_challenge: string;
  domain_verified_at: Date | null;
  enforced: Generated<boolean>;
  default_role: SsoRole;
  role_claim: string | null;
  role_rules: ColumnType<SsoRoleRule[], string | undefined, string>;
  last_sign_in_at: Date | null;
  last_error: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface SsoIdentitiesTable {
  connection_id: number;
  subject: string;
  user_id: number;
  created_at: Generated<Date>;
  last_used_at: Generated<Date>;
}

export interface SsoSignInsTable {
  state_hash: Buffer;
  browser_hash: Buffer;
  connection_id: number;
  nonce: string;
  sealed_code_verifier: string;
  next: string | null;
  expires_at: Date;
}

export interface SsoTables {
  sso_connections: SsoConnectionsTable;
  sso_identities: SsoIdentitiesTable;
  sso_sign_ins: SsoSignInsTable;
}

export type SsoConnectionRow = Selectable<SsoConnectionsTable>;
export type SsoSignInRow = Selectable<SsoSignInsTable>;
