import type { Generated } from 'kysely';

/** One row per audit chain: the result of its last full verification (migration 0021_people). */
export interface AuditChecksTable {
  /** Team's internal ID; 0 for the platform. */
  chain: number;
  checked_at: Generated<Date>;
  /** Number of entries verified. */
  entries: number;
  /** First entry that fails verification; null for an intact chain. */
  broken_seq: number | null;
  broken: string | null;
}
