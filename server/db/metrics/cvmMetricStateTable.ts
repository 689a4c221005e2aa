import type { ColumnType, Generated } from 'kysely';
import type { Counters, DiskLevel, MetricSource } from '../../domain/metrics/metrics';

/**
 * One row per CVM: the reference for the next sample, and the warnings sent. Written by the collector
 * (migration 0011_metrics).
 */
export interface CvmMetricStateTable {
  cvm_id: number;
  sampled_at: Date;
  uptime_seconds: number;
  /** CPU time of all CPUs, in microseconds; null where the guest reports only its load. */
  cpu_time_us: number | null;
  /** By interface: bytes received, bytes sent, errors. Null where the guest did not report them. */
  counters: ColumnType<Counters | null, string | null, string | null>;
  /** What is measured: the guest, its containers (local teepod) or this machine (simulated engine). */
  source: MetricSource;
  num_cpus: number;
  /** Bytes. */
  memory_total: number;
  /** Bytes. */
  swap_total: number;
  /** Bytes of the largest disk; 0 if none was reported. */
  disk_total: number;
  disk_name: string | null;
  containers_total: number | null;
  /** By disk: the limit it exceeds (0, 85 or 95 percent), with hysteresis. */
  disk_levels: ColumnType<Record<string, DiskLevel>, string, string>;
  memory_high_since: Date | null;
  memory_warned: Generated<boolean>;
}
