import type { FieldDescription } from './types';

/*
 * Memory and disk sizes are stored in MB and GB (1 GB = 1024 MB) and entered in a convenient unit.
 */

const SIZE_UNITS = { megabytes: ['MB', 'GB', 'TB'], gigabytes: ['GB', 'TB'] } as const;

const STEP = 1024;

export const unitsOf = ({ type }: FieldDescription): readonly string[] =>
  type === 'megabytes' ? SIZE_UNITS.megabytes : SIZE_UNITS.gigabytes;

/** Returns the largest unit, as an index, in which the stored size is a whole number; GB for an empty field. */
export function bestUnit(field: FieldDescription, stored: unknown): number {
  const units = unitsOf(field);
  if (typeof stored !== 'number' || stored <= 0) return units.indexOf('GB');
  let unit = 0;
  while (unit < units.length - 1 && stored % STEP ** (unit + 1) === 0) unit++;
  return unit;
}

/** Converts a stored size to a unit for display. */
export const inUnit = (stored: number, unit: number): number => stored / STEP ** unit;

/** Converts an entered size to the stored unit, rounded to a whole number. */
export const toStored = (entered: number, unit: number): number => Math.round(entered * STEP ** unit);
