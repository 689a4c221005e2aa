import type { Generated, GeneratedAlways } from 'kysely';

/** One row per maintenance window that is being announced to the CVMs of its node (migration 0307_maintenance_notices). */
export interface MaintenanceNoticesTable {
  id: GeneratedAlways<number>;
  /** May be deleted: an announcement that it was canceled outlives it. */
  window_id: number;
  node_id: number;
  what: 'planned' | 'began' | 'over';
  message: string;
  starts_at: Date;
  ends_at: Date;
  /** The last CVM whose event is written. They are in the order of their IDs. */
  last_cvm_id: Generated<number>;
  /** The last CVM that learned of the window earlier. Null: all did. */
  heard_through: number | null;
}
