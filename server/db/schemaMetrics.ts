import type { ColumnType, Generated } from 'kysely';
import type { Counters, DiskLevel, MetricSource, Missing } from '../domain/metrics';

/** The columns' meaning stands in migration 0011_metrics. */

type Averaged = 'cpu' | 'load' | 'memory' | 'swap' | 'disk' | 'network_in' | 'network_out' | 'network_errors';
type Values = Record<Averaged, number | null>;

interface MetricRow {
  slot: number;
  cvm_id: number;
  at: Date;
  missing: Missing | null;
  containers: number | null;
}

export interface MetricTables {
  cvm_metric_samples: MetricRow & Values;
  cvm_metric_rollups: MetricRow &
    Values &
    Record<`${Averaged}_min` | `${Averaged}_max`, number | null> & { step: number; samples: number };
  cvm_metric_state: {
    cvm_id: number;
    sampled_at: Date;
    uptime_seconds: number;
    cpu_time_us: number | null;
    counters: ColumnType<Counters | null, string | null, string | null>;
    source: MetricSource;
    num_cpus: number;
    memory_total: number;
    swap_total: number;
    disk_total: number;
    disk_name: string | null;
    containers_total: number | null;
    disk_levels: ColumnType<Record<string, DiskLevel>, string, string>;
    memory_high_since: Date | null;
    memory_warned: Generated<boolean>;
  };
  metric_rounds: {
    teepod_id: number;
    round_at: Date;
    owner: string;
    finished_at: Date | null;
    cvms: number | null;
    answered: number | null;
  };
  metric_progress: { step: number; through: Date };
}
