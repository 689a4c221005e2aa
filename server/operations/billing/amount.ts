import { parseMicros } from '../../../console/lib/billing/money';
import { invalid } from '../core/invalid';

const CENT = 10_000;
/** Micro-dollars. */
const MAX_MICROS = 1_000_000_000_000;

/** Parses an amount in the request into micro-dollars. @throws VALIDATION_FAILED with the field's name */
export function amountOf(decimal: string, field: string, { least = 1 }: { least?: number } = {}): number {
  const micros = parseMicros(decimal);
  if (micros === null || micros > MAX_MICROS) throw invalid(field, 'The amount must be at most $1,000,000.');
  if (micros < least)
    throw invalid(field, least > 1 ? 'The amount must be at least $1.' : 'The amount must be positive.');
  return micros;
}

/** Like `amountOf`, but in whole cents, as bank transfers require. */
export function centsOf(decimal: string, field: string, limits: { least?: number } = {}): number {
  const micros = amountOf(decimal, field, limits);
  if (micros % CENT !== 0) throw invalid(field, 'The amount must be in whole cents.');
  return micros;
}
