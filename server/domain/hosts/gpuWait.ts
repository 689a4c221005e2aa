import type { GpuWait } from '../../../generated/api/types.gen';

export const gpuWaitOut = (row: { gpus: number; created_at: Date; notified_at: Date | null }): GpuWait => ({
  gpus: row.gpus,
  since: row.created_at.toISOString(),
  notified_at: row.notified_at?.toISOString() ?? null,
});
