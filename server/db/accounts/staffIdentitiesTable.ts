import type { Generated } from 'kysely';

/**
 * One row per subject of the staff's provider that is linked to a user. Written at the first staff sign-in (migration
 * 0301_staff_sso).
 */
export interface StaffIdentitiesTable {
  issuer: string;
  /** The provider's `sub` claim. */
  subject: string;
  user_id: number;
  created_at: Generated<Date>;
  last_used_at: Generated<Date>;
}
