import { formatGb, formatMb } from '../cvms/sizes';
import { count, counted } from './count';

/** What one host must have free. Memory in MB, disk in GB; 0 for what doesn't matter. */
export interface Room {
  gpus: number;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
}

/** How long room that a member was offered is held for the team. */
export const OFFER_MINUTES = 30;

/** GPUs alone: a host must also have room for any one size with this many. */
export const gpusOnly = (gpus: number): Room => ({ gpus, vcpu: 0, memory_mb: 0, disk_gb: 0 });

/** "2 GPUs", "4 vCPU, 8 GB memory and 40 GB disk". */
export function roomText({ gpus, vcpu, memory_mb, disk_gb }: Room): string {
  const parts = [
    ...(gpus > 0 ? [counted(gpus, ['GPU', 'GPUs'])] : []),
    ...(vcpu > 0 ? [`${count(vcpu)} vCPU`] : []),
    ...(memory_mb > 0 ? [`${formatMb(memory_mb)} memory`] : []),
    ...(disk_gb > 0 ? [`${formatGb(disk_gb)} disk`] : []),
  ];
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
