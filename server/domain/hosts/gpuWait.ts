import type { GpuWait } from '../../../generated/api/types.gen';

export const gpuWaitOut = (row: { gpus: number; created_at: Date; told_at: Date | null }): GpuWait => ({
  gpus: row.gpus,
  since: row.created_at.toISOString(),
  told_at: row.told_at?.toISOString() ?? null,
});
