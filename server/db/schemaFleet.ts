import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** Tables and columns of taking hosts out of service; their meaning stands in migration 0019_fleet. */

export type DrainState = 'running' | 'blocked' | 'succeeded' | 'cancelled';

export type DrainCvmState =
  | 'waiting'
  | 'moving'
  | 'stopping'
  | 'moved'
  | 'stopped'
  | 'gone'
  | 'blocked'
  | 'cancelled';

export type DrainAction = 'move' | 'stop' | 'leave';

export interface DrainsTable {
  id: GeneratedAlways<number>;
  teepod_id: number;
  state: Generated<DrainState>;
  movable: 'move' | 'stop';
  others: 'stop' | 'leave';
  stop_at: Date;
  reason: string;
  message: string | null;
  requested_by: number | null;
  cancelled_by: number | null;
  lease_owner: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  finished_at: Date | null;
}

export interface DrainCvmsTable {
  id: GeneratedAlways<number>;
  drain_id: number;
  cvm_id: number;
  action: DrainAction;
  state: Generated<DrainCvmState>;
  message: string | null;
  operation_id: number | null;
  to_teepod_id: number | null;
  notified_at: Date | null;
  look_at: Generated<Date>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  finished_at: Date | null;
}

export interface MaintenanceWindowsTable {
  id: GeneratedAlways<number>;
  node_id: number;
  starts_at: Date;
  ends_at: Date;
  notice_hours: number;
  reason: string;
  notified_at: Date | null;
  began_at: Date | null;
  ended_at: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface FleetTables {
  drains: DrainsTable;
  drain_cvms: DrainCvmsTable;
  maintenance_windows: MaintenanceWindowsTable;
}

export interface FleetTeepodColumns {
  host_cvms: number | null;
  host_vcpu: number | null;
  host_memory_mb: number | null;
  drift: Generated<number>;
}

export interface FleetImageColumns {
  state: Generated<'active' | 'recommended' | 'retired'>;
  updated_at: Generated<Date>;
}

export interface FleetCvmColumns {
  movable: Generated<boolean>;
}

export type DrainRow = Selectable<DrainsTable>;
export type DrainCvmRow = Selectable<DrainCvmsTable>;
export type MaintenanceWindowRow = Selectable<MaintenanceWindowsTable>;
