import type { Generated, GeneratedAlways } from 'kysely';
import type { Coverage } from '../../domain/billing/metering';

/**
 * One row per change of a CVM in status, size or rate, append-only. Written by a trigger on `cvms`; usage is
 * computed from it (migration 0001_foundation).
 */
export interface CvmStateChangesTable {
  id: GeneratedAlways<number>;
  cvm_id: number;
  status: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  /** Micro-dollars per hour. */
  hourly_rate_micros: number;
  /** The share for GPUs. */
  gpu_rate_micros: Generated<number>;
  /** The part for disk above what the size includes; no order covers it (migration 0191_disk_rates). */
  disk_rate_micros: Generated<number>;
  at: Generated<Date>;
  /** The order that covers it, what it covers, and until when (migration 0110_orders). */
  order_id: Generated<number | null>;
  covers: Generated<Coverage | null>;
  covered_until: Generated<Date | null>;
}
