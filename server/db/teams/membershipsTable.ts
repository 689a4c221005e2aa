import type { Generated } from 'kysely';

/**
 * One row per member of a team. Written when a team is created, an invitation accepted, or at a single
 * sign-on (migration 0001_foundation).
 */
export interface MembershipsTable {
  team_id: number;
  user_id: number;
  role: 'viewer' | 'member' | 'billing' | 'admin' | 'owner';
  is_default: Generated<boolean>;
  created_at: Generated<Date>;
  last_seen_at: Date | null;
  /** Connection that created it and keeps its role in sync; null otherwise. */
  sso_connection_id: number | null;
}
