import type { Filled } from './auditLogTable';

/**
 * One row per audit chain: its last entry, so that a truncated chain is detected. Written only by the trigger
 * on `audit_log` (migration 0005_audit_chain).
 */
export interface AuditHeadsTable {
  /** Team's internal ID; 0 for the platform. */
  chain: Filled<number>;
  seq: Filled<number>;
  hash: Filled<Buffer>;
}
