import type { Generated, Selectable } from 'kysely';

/** One row per instance type. Written by migration 0001_foundation and by administrators. */
export interface InstanceTypesTable {
  id: string;
  family: 'cpu' | 'gpu';
  name: string;
  description: Generated<string>;
  vcpu: number;
  memory_mb: number;
  default_disk_size_gb: Generated<number>;
  /** Micro-dollars per hour. */
  hourly_rate_micros: number;
  /** The share for GPUs. */
  gpu_rate_micros: Generated<number>;
  requires_gpu: Generated<boolean>;
  gpu_count: Generated<number>;
  state: Generated<'active' | 'retired'>;
  sort_order: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type InstanceTypeRow = Selectable<InstanceTypesTable>;
