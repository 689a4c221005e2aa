// Current hourly cost of CVMs. Metering starts with the first running second; a stopped CVM pays for its disk, a lost one
// for nothing.

import { parseMicros } from './money';

/** Price of a stopped CVM's disk, and of disk that the rate of a size doesn't include: micro-dollars per GB and hour. */
export const DISK_GB_HOUR = 100;

/** GB of disk that the rate of a custom size includes: as much as that of the smallest instance type. */
export const CUSTOM_DISK_GB = 20;

/** Micro-dollars per hour of the disk above the GB that the rate of a size includes. */
export const moreDiskMicros = (disk_gb: number, included_gb: number): number =>
  Math.max(0, disk_gb - included_gb) * DISK_GB_HOUR;

export interface Metered {
  status: string;
  desired_status: string;
  /** US dollars per hour while running and while stopped, decimal strings; without what an order covers. */
  hourly_rate: { total: string; stopped?: string; after_order?: { total: string; stopped: string } | null };
  resource: { disk_in_gb: number | null };
  /** Its latest operation. */
  operation: { type: string; state: string } | null;
}

const FREE = new Set(['deleted', 'creating', 'deleting', 'lost']);
const STILL = new Set(['stopped', 'error']);

/** Whether its first deployment hasn't succeeded: a CVM that never ran costs nothing. */
const isUndeployed = ({ operation }: Metered) =>
  operation?.type === 'deploy' && operation.state !== 'succeeded';

/** Micro-dollars per hour of the disk while the CVM is stopped. */
export const stoppedMicros = ({
  resource,
  hourly_rate,
}: Pick<Metered, 'resource'> & Partial<Pick<Metered, 'hourly_rate'>>): number =>
  parseMicros(hourly_rate?.stopped ?? '') ?? (resource.disk_in_gb ?? 0) * DISK_GB_HOUR;

/** Micro-dollars per hour that the CVM costs now, or in a moment; an invalid rate counts as 0. */
export function currentMicros(cvm: Metered): number {
  if (FREE.has(cvm.status) || isUndeployed(cvm)) return 0;
  if (STILL.has(cvm.status) || cvm.desired_status !== 'running') return stoppedMicros(cvm);
  return parseMicros(cvm.hourly_rate.total) ?? 0;
}

/** What it costs now, and what it would while running if that is something else. Micro-dollars per hour. */
export function ratesOf(cvm: Metered): { now: number; running: number | null } {
  const now = currentMicros(cvm);
  const running = parseMicros(cvm.hourly_rate.total) ?? 0;
  const isGone = cvm.status === 'deleted' || cvm.status === 'deleting';
  return { now, running: isGone || running === now ? null : running };
}

/** Micro-dollars per hour after a power action; null if it doesn't change the cost or the price is unknown. */
export function powerMicros(
  cvm: Pick<Metered, 'hourly_rate' | 'resource'>,
  action: 'start' | 'stop' | 'restart',
): number | null {
  if (action === 'restart') return null;
  if (action === 'stop') return stoppedMicros(cvm);
  return parseMicros(cvm.hourly_rate.total);
}

export const hourlyMicros = (cvms: readonly Metered[]): number =>
  cvms.reduce((sum, cvm) => sum + currentMicros(cvm), 0);

/** Micro-dollars per hour once the orders that cover CVMs have ended; null if none covers one that would cost something. */
export function hourlyAfterOrders(cvms: readonly Metered[]): number | null {
  const later = hourlyMicros(
    cvms.map((cvm) => ({ ...cvm, hourly_rate: cvm.hourly_rate.after_order ?? cvm.hourly_rate })),
  );
  return later === hourlyMicros(cvms) ? null : later;
}
