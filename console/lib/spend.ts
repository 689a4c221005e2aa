// What running CVMs cost per hour. Metering starts with the first running second and stops with the last.

import { parseMicros } from './money';

export interface Metered {
  status: string;
  desired_status: string;
  /** US dollars per hour, a decimal string. */
  hourly_rate: string | null;
}

const STILL = new Set(['stopped', 'deleted', 'error', 'creating']);

/** Whether it costs its hourly rate now, or will in a moment. */
export const isMetered = (cvm: Metered): boolean =>
  cvm.desired_status === 'running' && !STILL.has(cvm.status);

/** Micro-dollars per hour of those that are metered; rates that cannot be read count as none. */
export function hourlyMicros(cvms: readonly Metered[]): number {
  return cvms.reduce(
    (sum, cvm) =>
      isMetered(cvm) && cvm.hourly_rate !== null ? sum + (parseMicros(cvm.hourly_rate) ?? 0) : sum,
    0,
  );
}
