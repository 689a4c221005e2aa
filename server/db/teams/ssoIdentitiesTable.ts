import type { Generated } from 'kysely';

/**
 * One row per provider subject linked to a user. Written at the first single sign-on; a changed email
 * address does not move the link (migration 0006_sso).
 */
export interface SsoIdentitiesTable {
  connection_id: number;
  /** The provider's `sub` claim. */
  subject: string;
  user_id: number;
  created_at: Generated<Date>;
  last_used_at: Generated<Date>;
}
