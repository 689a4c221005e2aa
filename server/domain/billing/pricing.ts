import { DISK_GB_HOUR } from '../../../console/lib/billing/spend';
import { formatMicros } from '../../../console/lib/billing/money';
import type { CvmHourlyRate } from '../../../generated/api/types.gen';
import type { Size } from '../hosts/scheduler';

/** Micro-dollars per hour for sizes without an instance type; the same ratio as the catalog's small type. */
const VCPU_HOUR = 29_000;
const MEMORY_GB_HOUR = 14_500;

export const customHourlyRate = (size: Pick<Size, 'vcpu' | 'memory_mb'>): number =>
  Math.ceil(size.vcpu * VCPU_HOUR + (size.memory_mb / 1024) * MEMORY_GB_HOUR);

export const stoppedHourlyRate = (size: Pick<Size, 'disk_gb'>): number => size.disk_gb * DISK_GB_HOUR;

/** Returns the rate of a running CVM by parts. The rate includes the disk, which alone is charged while stopped. */
export function hourlyRate(cvm: { hourly_rate_micros: number; disk_gb: number }): CvmHourlyRate {
  const total = cvm.hourly_rate_micros;
  const disk = Math.min(stoppedHourlyRate(cvm), total);
  return { total: formatMicros(total), compute: formatMicros(total - disk), disk: formatMicros(disk) };
}
