import type { Missing } from '../../domain/metrics/metrics';
import type { Averaged } from './cvmMetricRollupsTable';

/**
 * `cpu` is percent of the CVM's vCPUs, `load` the one-minute average. Memory, swap and disk are in bytes,
 * network traffic in bytes per second, network errors per second.
 */
export type Values = Record<Averaged, number | null>;

/**
 * One row per CVM and 30-second slot of the last two hours. Written by the collector, which overwrites the
 * oldest slot (migration 0011_metrics).
 */
export type CvmMetricSamplesTable = MetricRow & Values;

/** Columns of samples and rollups. */
export interface MetricRow {
  /** Position in the ring: time modulo its length. */
  slot: number;
  cvm_id: number;
  /** Start of the collector's round, or of the step in a rollup. */
  at: Date;
  /** Why there are no values: the host was not reached, or the guest did not answer. Null if there are. */
  missing: Missing | null;
  containers: number | null;
}
