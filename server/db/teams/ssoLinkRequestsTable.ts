import type { Generated, Selectable } from 'kysely';
import type { SsoRole } from '../../domain/teams/sso';

/**
 * One row per link between a provider's subject and an existing account that the account's owner has yet to
 * confirm (migration 0026_sso_links).
 */
export interface SsoLinkRequestsTable {
  /** Hash of the cookie in the browser that must confirm. */
  token_hash: Buffer;
  connection_id: number;
  issuer: string;
  domain: string;
  subject: string;
  user_id: number;
  /** From the provider's claims. */
  role: SsoRole;
  created_at: Generated<Date>;
  expires_at: Date;
}

export type SsoLinkRequestRow = Selectable<SsoLinkRequestsTable>;
