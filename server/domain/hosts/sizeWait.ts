import type { GpuWait } from '../../../generated/api/types.gen';
import type { Size } from './scheduler';

interface Row extends Size {
  gpus: number;
  created_at: Date;
  notified_at: Date | null;
}

export const sizeWaitOut = (row: Row): GpuWait => ({
  gpus: row.gpus,
  vcpu: row.vcpu,
  memory_mb: row.memory_mb,
  disk_gb: row.disk_gb,
  since: row.created_at.toISOString(),
  notified_at: row.notified_at?.toISOString() ?? null,
});
