import type { Generated, GeneratedAlways } from 'kysely';

/**
 * One row per maintenance window with pending notices to its node's CVMs (migration 0307_maintenance_notices).
 */
export interface MaintenanceNoticesTable {
  id: GeneratedAlways<number>;
  /** The window may be deleted: the notice of its cancellation outlives it. */
  window_id: number;
  node_id: number;
  what: 'planned' | 'began' | 'over';
  message: string;
  starts_at: Date;
  ends_at: Date;
  /** The last CVM whose event is written, in ID order. */
  last_cvm_id: Generated<number>;
  /** The last CVM notified of the window earlier. Null: all were. */
  heard_through: number | null;
}
