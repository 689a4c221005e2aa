import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** One row per maintenance window of a node. Written by administrators (migration 0019_fleet). */
export interface MaintenanceWindowsTable {
  id: GeneratedAlways<number>;
  node_id: number;
  starts_at: Date;
  ends_at: Date;
  /** How many hours ahead the teams are notified. */
  notice_hours: number;
  reason: string;
  /** When the teams were notified in advance; null until then. */
  notified_at: Date | null;
  /** When the teams were notified of the start; null until then. */
  began_at: Date | null;
  /** When the teams were notified of the end; null until then. */
  ended_at: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type MaintenanceWindowRow = Selectable<MaintenanceWindowsTable>;
