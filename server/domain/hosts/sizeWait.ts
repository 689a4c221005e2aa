import type { GpuWait } from '../../../generated/api/types.gen';
import type { Size } from './scheduler';

interface Wanted extends Size {
  gpus: number;
}

interface Row extends Wanted {
  created_at: Date;
  notified_at: Date | null;
  held_until: Date | null;
}

/** @param blocked_by why the team gets no offers now */
export const sizeWaitOut = (row: Row, blocked_by: GpuWait['blocked_by']): GpuWait => ({
  gpus: row.gpus,
  vcpu: row.vcpu,
  memory_mb: row.memory_mb,
  disk_gb: row.disk_gb,
  since: row.created_at.toISOString(),
  notified_at: row.notified_at?.toISOString() ?? null,
  held_until: row.held_until?.toISOString() ?? null,
  blocked_by,
});

/** A CVM that a member could deploy once they get what they wait for. */
export interface Need<Type> {
  size: Size;
  gpus: number;
  /** Null for a custom size. */
  type: Type | null;
}

interface ListedType {
  gpu_count: number;
  vcpu: number;
  memory_mb: number;
  default_disk_size_gb: number;
}

/** Returns the size waited for; for GPUs alone, any with this many. Without such a size, only the GPUs count. */
export function needsOf<Type extends ListedType>(
  { gpus, vcpu, memory_mb, disk_gb }: Wanted,
  types: readonly Type[],
): Need<Type>[] {
  const listed = types.filter(({ gpu_count }) => gpu_count === gpus);
  if (isSize({ vcpu, memory_mb, disk_gb })) {
    const type = listed.find((one) => one.vcpu === vcpu && one.memory_mb === memory_mb) ?? null;
    return [{ size: { vcpu, memory_mb, disk_gb }, gpus, type }];
  }
  if (listed.length === 0) return [{ size: { vcpu, memory_mb, disk_gb }, gpus, type: null }];
  return listed.map((type) => ({
    size: { vcpu: type.vcpu, memory_mb: type.memory_mb, disk_gb: type.default_disk_size_gb },
    gpus,
    type,
  }));
}

/** Whether a size was named, not only GPUs. */
export const isSize = ({ vcpu, memory_mb, disk_gb }: Size): boolean =>
  vcpu > 0 || memory_mb > 0 || disk_gb > 0;

/** Whether `large` needs at least as much of everything as `small`, and the same kind of host. */
export const needsMore = (large: Need<unknown>, small: Need<unknown>): boolean =>
  large.gpus > 0 === small.gpus > 0 &&
  large.gpus >= small.gpus &&
  large.size.vcpu >= small.size.vcpu &&
  large.size.memory_mb >= small.size.memory_mb &&
  large.size.disk_gb >= small.size.disk_gb;
