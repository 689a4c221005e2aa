import type { Generated, GeneratedAlways } from 'kysely';

/** One row per saved list view of a staff user (migration 0018_admin_lists). */
export interface AdminViewsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  resource: string;
  name: string;
  /** Query string of the list. */
  query: string;
  /** Visible to all staff. */
  shared: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}
