import { DISK_GB_HOUR } from '../../../console/lib/billing/spend';
import { formatMicros } from '../../../console/lib/billing/money';
import type { CvmHourlyRate } from '../../../generated/api/types.gen';
import type { Size } from '../hosts/scheduler';
import type { Coverage } from './metering';

/** Micro-dollars per hour for sizes without an instance type; the same ratio as the catalog's small type. */
const VCPU_HOUR = 29_000;
const MEMORY_GB_HOUR = 14_500;

export const customHourlyRate = (size: Pick<Size, 'vcpu' | 'memory_mb'>): number =>
  Math.ceil(size.vcpu * VCPU_HOUR + (size.memory_mb / 1024) * MEMORY_GB_HOUR);

export const stoppedHourlyRate = (size: Pick<Size, 'disk_gb'>): number => size.disk_gb * DISK_GB_HOUR;

interface Priced {
  hourly_rate_micros: number;
  gpu_rate_micros: number;
  covers: Coverage | null;
  covered_until: Date | null;
}

/** Returns what is left to pay per hour of a rate, of which an order covers a part. */
export const uncoveredRate = (
  { hourly_rate_micros, gpu_rate_micros }: Pick<Priced, 'hourly_rate_micros' | 'gpu_rate_micros'>,
  covers: Coverage | null,
): number =>
  covers === 'cvm' ? 0 : covers === 'gpus' ? hourly_rate_micros - gpu_rate_micros : hourly_rate_micros;

/** What of a CVM an order covers at a moment. */
export const coverageOf = (
  { covers, covered_until }: Pick<Priced, 'covers' | 'covered_until'>,
  now: Date,
): Coverage | null => (covered_until !== null && covered_until > now ? covers : null);

/** Returns what a CVM costs per hour while it runs, in micro-dollars: nothing of what an order covers. */
export const rateToPay = (cvm: Priced, now = new Date()): number => uncoveredRate(cvm, coverageOf(cvm, now));

/** Returns the rate of a running CVM by parts. The rate includes the disk, which alone is charged while stopped. */
export function hourlyRate(cvm: Priced & { disk_gb: number }): CvmHourlyRate {
  const total = rateToPay(cvm);
  const disk = Math.min(stoppedHourlyRate(cvm), total);
  return { total: formatMicros(total), compute: formatMicros(total - disk), disk: formatMicros(disk) };
}
