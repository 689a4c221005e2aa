import type { FieldDescription } from './types';

const STEP = 1024;
const UNITS = { megabytes: ['MB', 'GB', 'TB', 'PB'], gigabytes: ['GB', 'TB', 'PB'] } as const;

/** Returns both figures of a usage in the unit that suits the limit, with at most one decimal. */
export function usageOf({ unit }: FieldDescription, used: number, limit: number) {
  if (unit === undefined) return { used, limit, unit: '' };
  const units = UNITS[unit];
  let step = 0;
  while (step < units.length - 1 && limit >= STEP ** (step + 1)) step++;
  const scaled = (n: number) => Math.round((n / STEP ** step) * 10) / 10;
  return { used: scaled(used), limit: scaled(limit), unit: units[step] ?? '' };
}
