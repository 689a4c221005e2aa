// Current hourly cost of CVMs. Metering starts with the first second of running; a stopped CVM is charged for its
// disk, a lost one for nothing.

import { parseMicros } from './money';

/** Price of a stopped CVM's disk, and of disk beyond what the size includes: micro-dollars per GB and hour. */
export const DISK_GB_HOUR = 100;

/** GB of disk included in a custom size's rate, the same as in the smallest instance type's. */
export const CUSTOM_DISK_GB = 20;

/** Returns the hourly price of disk beyond what the size includes, in micro-dollars. */
export const moreDiskMicros = (disk_gb: number, included_gb: number): number =>
  Math.max(0, disk_gb - included_gb) * DISK_GB_HOUR;

export interface Metered {
  status: string;
  desired_status: string;
  /** US dollars per hour while running and while stopped, decimal strings; excludes the part an order covers. */
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

/**
 * Returns the CVM's hourly cost now or after the current operation, in micro-dollars; an invalid rate counts as 0.
 */
export function currentMicros(cvm: Metered): number {
  if (FREE.has(cvm.status) || isUndeployed(cvm)) return 0;
  if (STILL.has(cvm.status) || cvm.desired_status !== 'running') return stoppedMicros(cvm);
  return parseMicros(cvm.hourly_rate.total) ?? 0;
}

/** Returns the current hourly cost, and the cost while running if it differs, in micro-dollars. */
export function ratesOf(cvm: Metered): { now: number; running: number | null } {
  const now = currentMicros(cvm);
  const running = parseMicros(cvm.hourly_rate.total) ?? 0;
  const isGone = cvm.status === 'deleted' || cvm.status === 'deleting';
  return { now, running: isGone || running === now ? null : running };
}

/** Returns the hourly cost after a power action, in micro-dollars; null if it doesn't change or is unknown. */
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

/**
 * Returns the hourly cost after the covering orders end, in micro-dollars; null if none covers a CVM that would
 * cost something.
 */
export function hourlyAfterOrders(cvms: readonly Metered[]): number | null {
  const later = hourlyMicros(
    cvms.map((cvm) => ({ ...cvm, hourly_rate: cvm.hourly_rate.after_order ?? cvm.hourly_rate })),
  );
  return later === hourlyMicros(cvms) ? null : later;
}
