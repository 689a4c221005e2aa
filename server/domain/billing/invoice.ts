/** Rules of invoices: months, cents, tax, numbers and states. */

export type InvoiceKind = 'invoice' | 'credit_note';

/** What a line charges for. */
export type InvoiceBasis = 'size' | 'disk' | 'gpu' | 'order' | 'ai';

/** The team, as it was when the invoice was issued. */
export interface Payer {
  id: string;
  slug: string;
  name: string;
  /** Its billing details; absent in invoices issued before these existed. */
  legal_name?: string | null;
  address?: string | null;
  country?: string | null;
  vat_id?: string | null;
}

/** A UTC month, half-open. */
export interface Period {
  start: Date;
  end: Date;
}

const MICROS_PER_CENT = 10_000n;
const TAX_UNITS = 10_000n;

/** Returns the UTC month that ended `back` months before the current one; 0 is the last complete one. */
export function completedMonth(now: Date, back = 0): Period {
  const at = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
  return { start: at(-1 - back), end: at(-back) };
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

/** Half a unit is rounded away from zero, so that a credit note rounds like its invoice. */
function rounded(value: bigint, unit: bigint): bigint {
  const size = (value < 0n ? -value : value) * 2n + unit;
  return value < 0n ? -(size / (unit * 2n)) : size / (unit * 2n);
}

/** Returns micro-dollars in cents, rounded. */
export const centsOfMicros = (micros: number): number => Number(rounded(BigInt(micros), MICROS_PER_CENT));

/**
 * Rounds fractions with a common denominator so that they sum to `total`: each down, then one more for those
 * with the largest remainders, first for the earlier of equal ones.
 */
function largestRemainder(numerators: readonly bigint[], denominator: bigint, total: bigint): number[] {
  const floors = numerators.map((value) => floorDivide(value, denominator));
  const missing = Number(total - floors.reduce((sum, part) => sum + part, 0n));
  const raised = numerators
    .map((value, index) => ({
      index,
      rest: value - (floors[index] ?? 0n) * denominator,
    }))
    .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
    .slice(0, missing)
    .map(({ index }) => index);
  const parts = floors.map(Number);
  for (const index of raised) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}

/** Returns each amount in cents, rounded so that they sum to the rounded total. Amounts are micro-dollars. */
export function allocateCents(amounts: readonly number[]): number[] {
  const exact = amounts.map(BigInt);
  const sum = exact.reduce((total, amount) => total + amount, 0n);
  return largestRemainder(exact, MICROS_PER_CENT, rounded(sum, MICROS_PER_CENT));
}

/** Divides a positive number of cents in proportion to parts, which sum to more than zero. */
function divideCents(cents: number, parts: readonly number[]): number[] {
  const sum = parts.reduce((total, part) => total + BigInt(part), 0n);
  return largestRemainder(
    parts.map((part) => BigInt(part) * BigInt(cents)),
    sum,
    BigInt(cents),
  );
}

/** Uncredited part of an invoice or one of its lines. */
export interface Remaining {
  micros: number;
  cents: number;
}

/**
 * Returns a credit note's part of each invoice line and of its tax. The note for the last cent takes every
 * remainder, so that all notes together equal the invoice.
 */
export function creditLines(
  cents: number,
  lines: readonly Remaining[],
  tax: { rate: number; remaining: number },
): { lines: Remaining[]; tax_cents: number } {
  const left = lines.reduce((sum, line) => sum + line.cents, 0);
  if (cents <= 0 || cents > left)
    throw new RangeError('A credit note is at most what is left of its invoice.');
  const tax_cents = creditTax(cents, left, tax);
  if (cents === left) return { lines: [...lines], tax_cents };
  const parts = divideCents(
    cents,
    lines.map((line) => line.cents),
  );
  return {
    lines: parts.map((part) => ({
      cents: part,
      micros: part * Number(MICROS_PER_CENT),
    })),
    tax_cents,
  };
}

/** Returns the tax credited with this many cents of an invoice, of which `left` are not credited yet. */
export const creditTax = (cents: number, left: number, tax: { rate: number; remaining: number }): number =>
  cents === left ? tax.remaining : Math.min(taxOn(cents, tax.rate), tax.remaining);

/** Returns the tax on a sum, in cents. @param rate in 1/10000 */
export const taxOn = (cents: number, rate: number): number =>
  Number(rounded(BigInt(cents) * BigInt(rate), TAX_UNITS));

/** The number series of a document: one per kind and year. */
export const seriesOf = (kind: InvoiceKind, at: Date): string =>
  `${kind === 'invoice' ? 'INV' : 'CRN'}-${at.getUTCFullYear()}`;

/** @returns a number such as INV-2026-00042 */
export const documentNumber = (series: string, number: number): string =>
  `${series}-${String(number).padStart(5, '0')}`;
