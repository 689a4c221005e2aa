import type { Generated, GeneratedAlways } from 'kysely';

/**
 * One row per CVM or open provision: the capacity it holds on a teepod. Deleted when the capacity is released
 * (migration 0001_foundation).
 */
export interface ReservationsTable {
  id: GeneratedAlways<number>;
  teepod_id: number;
  team_id: number;
  /** Null once the CVM exists. */
  provision_id: number | null;
  /** Null while provisioned only. */
  cvm_id: number | null;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  /** The CVM's second reservation, on the host it is moving to. */
  moving: Generated<boolean>;
  created_at: Generated<Date>;
  /** Set for provisions only. */
  expires_at: Date | null;
}
