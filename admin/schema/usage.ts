import { count } from '../../console/lib/texts/count';
import type { FieldDescription } from './types';

const STEP = 1024;
const UNITS = { megabytes: ['MB', 'GB', 'TB', 'PB'], gigabytes: ['GB', 'TB', 'PB'] } as const;

interface Usage {
  used: number;
  limit: number;
  /** Unit of the limit. */
  unit: string;
  /** Unit of the usage, if it differs. */
  usedUnit?: string;
}

/**
 * Returns a usage with at most one decimal, both numbers in the unit that suits the limit: "120 of 500 GB". A usage
 * below one unit gets its own: "6 GB of 7.6 TB".
 */
export function usageOf({ unit }: Pick<FieldDescription, 'unit'>, used: number, limit: number): Usage {
  if (unit === undefined) return { used, limit, unit: '' };
  const units = UNITS[unit];
  const stepOf = (n: number) => {
    let step = 0;
    while (step < units.length - 1 && n >= STEP ** (step + 1)) step++;
    return step;
  };
  const scaled = (n: number, step: number) => Math.round((n / STEP ** step) * 10) / 10;
  const step = stepOf(limit);
  const own = used > 0 && used < STEP ** step ? stepOf(used) : step;
  return {
    used: scaled(used, own),
    limit: scaled(limit, step),
    unit: units[step] ?? '',
    ...(own === step ? {} : { usedUnit: units[own] ?? '' }),
  };
}

/** "5 of 16", "120 of 500 GB", "6 GB of 7.6 TB". */
export function usageText({ used, limit, unit, usedUnit }: Usage): string {
  const both = `${count(used)}${usedUnit === undefined ? '' : ` ${usedUnit}`} of ${count(limit)} ${unit}`;
  return both.trim();
}
