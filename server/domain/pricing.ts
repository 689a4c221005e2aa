import type { Size } from './scheduler';

/** Micro-dollars per hour for sizes that are no instance type; the same ratio as the catalogue's small type. */
const VCPU_HOUR = 29_000;
const MEMORY_GB_HOUR = 14_500;

/** Disks of stopped CVMs are kept and paid for: micro-dollars per GB and hour. */
export const DISK_GB_HOUR = 100;

export const customHourlyRate = (size: Pick<Size, 'vcpu' | 'memory_mb'>): number =>
  Math.ceil(size.vcpu * VCPU_HOUR + (size.memory_mb / 1024) * MEMORY_GB_HOUR);

export const stoppedHourlyRate = (size: Pick<Size, 'disk_gb'>): number => size.disk_gb * DISK_GB_HOUR;
