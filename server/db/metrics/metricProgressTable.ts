/**
 * One row per rollup step: how far samples have been rolled up. Written by migration 0011_metrics, updated by
 * the rollup job.
 */
export interface MetricProgressTable {
  /** Seconds. */
  step: number;
  /** End of the last step rolled up. */
  through: Date;
}
