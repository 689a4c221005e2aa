import { CUSTOM_DISK_GB, DISK_GB_HOUR, moreDiskMicros } from '../../../console/lib/billing/spend';
import { formatMicros } from '../../../console/lib/billing/money';
import type { CvmHourlyRate } from '../../../generated/api/types.gen';
import type { Size } from '../hosts/scheduler';
import type { Coverage } from './metering';

/*
 * Hourly cost of a CVM, in micro-dollars. An instance type's rate includes its disk, a custom size's includes
 * CUSTOM_DISK_GB. More disk is charged at the rate of a stopped CVM's disk, even while running, so that
 * stopping a CVM never costs more than running it. An order covers the rate without that part. A CVM keeps its
 * rate until it is resized.
 */

/** For sizes without an instance type; the same ratio as the catalog's small type. */
const VCPU_HOUR = 29_000;
const MEMORY_GB_HOUR = 14_500;

const customHourlyRate = (size: Pick<Size, 'vcpu' | 'memory_mb'>): number =>
  Math.ceil(size.vcpu * VCPU_HOUR + (size.memory_mb / 1024) * MEMORY_GB_HOUR);

/** A rate while running, and its parts for GPUs and for disk above what the size includes. */
export interface Rates {
  hourly_rate_micros: number;
  gpu_rate_micros: number;
  disk_rate_micros: number;
}

interface PricedType {
  hourly_rate_micros: number;
  gpu_rate_micros: number;
  default_disk_size_gb: number;
}

/** Returns the rates of a new CVM. @param type null for a custom size */
export function ratesOf(size: Pick<Size, 'vcpu' | 'memory_mb' | 'disk_gb'>, type: PricedType | null): Rates {
  const disk_rate_micros = moreDiskMicros(size.disk_gb, type?.default_disk_size_gb ?? CUSTOM_DISK_GB);
  return {
    hourly_rate_micros: (type?.hourly_rate_micros ?? customHourlyRate(size)) + disk_rate_micros,
    gpu_rate_micros: type?.gpu_rate_micros ?? 0,
    disk_rate_micros,
  };
}

/** Returns the rates of a CVM with another disk. The price of the rest stays the same. */
export function ratesWithDisk(
  { hourly_rate_micros, gpu_rate_micros, disk_rate_micros }: Rates,
  disk_gb: number,
  type: Pick<PricedType, 'default_disk_size_gb'> | null,
): Rates {
  const disk = moreDiskMicros(disk_gb, type?.default_disk_size_gb ?? CUSTOM_DISK_GB);
  return {
    hourly_rate_micros: hourly_rate_micros - disk_rate_micros + disk,
    gpu_rate_micros,
    disk_rate_micros: disk,
  };
}

export const stoppedHourlyRate = (size: Pick<Size, 'disk_gb'>): number => size.disk_gb * DISK_GB_HOUR;

interface Priced extends Rates {
  covers: Coverage | null;
  covered_until: Date | null;
}

/** Returns the hourly rest of a rate after an order's coverage. */
export const uncoveredRate = (
  { hourly_rate_micros, gpu_rate_micros, disk_rate_micros }: Rates,
  covers: Coverage | null,
): number => {
  switch (covers) {
    case 'all':
      return 0;
    case 'cvm':
      return disk_rate_micros;
    case 'gpus':
      return hourly_rate_micros - gpu_rate_micros;
    case null:
      return hourly_rate_micros;
  }
};

/** An order's coverage of a CVM at a moment. */
export const coverageOf = (
  { covers, covered_until }: Pick<Priced, 'covers' | 'covered_until'>,
  now: Date,
): Coverage | null => (covered_until !== null && covered_until > now ? covers : null);

/** Returns the hourly cost of a running CVM in micro-dollars, without covered parts. */
export const rateToPay = (cvm: Priced, now = new Date()): number => uncoveredRate(cvm, coverageOf(cvm, now));

/**
 * Returns the rate required to start a stopped CVM: zero if an order covers it, because it costs the same while
 * stopped.
 */
export function rateToStart(cvm: Priced, now = new Date()): number {
  const covers = coverageOf(cvm, now);
  return covers === 'cvm' || covers === 'all' ? 0 : rateToPay(cvm, now);
}

/** Returns the hourly cost of a stopped CVM, without covered parts. */
export function stoppedRateToPay(cvm: Priced & { disk_gb: number }, now = new Date()): number {
  const covers = coverageOf(cvm, now);
  if (covers === 'all') return 0;
  const disk = stoppedHourlyRate(cvm);
  return covers === 'cvm' ? Math.min(cvm.disk_rate_micros, disk) : disk;
}

/** Returns the hourly cost of a CVM: while running, by parts, and while stopped. */
export function hourlyRate(cvm: Priced & { disk_gb: number }): CvmHourlyRate {
  const total = rateToPay(cvm);
  const stopped = stoppedRateToPay(cvm);
  const disk = Math.min(stopped, total);
  return {
    total: formatMicros(total),
    compute: formatMicros(total - disk),
    disk: formatMicros(disk),
    stopped: formatMicros(stopped),
    after_order: laterRate(cvm),
  };
}

/** Returns a CVM's cost after the covering order ends; null if none covers it. */
function laterRate(cvm: Priced & { disk_gb: number }): CvmHourlyRate['after_order'] {
  const { covered_until: at } = cvm;
  if (at === null || coverageOf(cvm, new Date()) === null) return null;
  return {
    at: at.toISOString(),
    total: formatMicros(rateToPay(cvm, at)),
    stopped: formatMicros(stoppedRateToPay(cvm, at)),
  };
}
