import type { MetricRow, Values } from './cvmMetricSamplesTable';

export type Averaged =
  | 'cpu'
  | 'load'
  | 'memory'
  | 'swap'
  | 'disk'
  | 'network_in'
  | 'network_out'
  | 'network_errors';

/**
 * One row per CVM, step (in seconds) and slot: samples averaged over the step. Written by the rollup
 * job, which overwrites the oldest slot (migration 0011_metrics).
 */
export type CvmMetricRollupsTable = MetricRow &
  Values &
  Record<`${Averaged}_min` | `${Averaged}_max`, number | null> & { step: number; samples: number };
