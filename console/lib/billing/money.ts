import { formatDuration } from '../time/time';

// Amounts are integer micro-dollars in code (a number, exact up to 9 billion dollars) and decimal strings on
// the wire, never floating point.

/** Hours a monthly price is quoted for (365 × 24 / 12). */
const HOURS_PER_MONTH = 730;
const MICROS = 1_000_000;
const CENT = 10_000;

/**
 * "0.058" → 58000. Null when the text is not a decimal number, has digits beyond the sixth
 * decimal place, or is too large to be exact.
 */
export function parseMicros(decimal: string): number | null {
  const match = /^([+-]?)(\d{1,15})(?:\.(\d+))?$/.exec(decimal.trim());
  if (!match) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > 6) return null;
  const micros = BigInt(whole) * BigInt(MICROS) + BigInt(digits.padEnd(6, '0'));
  if (micros > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  // 0n has no sign, so "-0" yields 0 rather than -0.
  return Number(sign === '-' ? -micros : micros);
}

function checked(micros: number): number {
  if (!Number.isSafeInteger(micros)) throw new RangeError('An amount must be whole micro-dollars.');
  return micros;
}

/** 58000 → "0.058", 12000000 → "12.00": exact, with at least two decimal places. */
export function formatMicros(micros: number): string {
  const absolute = Math.abs(checked(micros));
  const whole = Math.floor(absolute / MICROS);
  const fraction = String(absolute % MICROS)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${micros < 0 ? '-' : ''}${whole}.${fraction}`;
}

/**
 * For display, exact: "1234.5" → "$1,234.50", "-3.2" → "−$3.20", "0.058" → "$0.058". Money isn't rounded for
 * display unless requested. Returns text that isn't a decimal number unchanged.
 */
export function exactUsd(decimal: string): string {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(decimal.trim());
  if (!match) return decimal;
  const [, sign = '', whole = '0', fraction = ''] = match;
  const shown = fraction.replace(/0+$/, '').padEnd(2, '0');
  return `${sign === '-' ? '−' : ''}$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${shown}`;
}

/**
 * For display, from micro-dollars: like `exactUsd`, rounded to cents from one dollar up. Smaller amounts keep every
 * digit so that small rates stay readable.
 */
export function formatUsd(micros: number): string {
  const absolute = Math.abs(checked(micros));
  const rounded = absolute < MICROS ? absolute : Math.round(absolute / CENT) * CENT;
  return exactUsd(formatMicros(micros < 0 ? -rounded : rounded));
}

/** "$0.058/h" */
export function formatHourly(microsPerHour: number): string {
  return `${formatUsd(microsPerHour)}/h`;
}

/** Micro-dollars for a month of 730 hours. @throws {RangeError} beyond exact numbers. */
export function perMonth(microsPerHour: number): number {
  return checked(checked(microsPerHour) * HOURS_PER_MONTH);
}

/** "$42.34/month" */
export function formatMonthly(microsPerHour: number): string {
  return `${formatUsd(perMonth(microsPerHour))}/month`;
}

interface RateStep {
  /** Seconds from now. */
  after: number;
  /** Change of the rate, in micro-dollars per hour; negative if it falls. */
  more: number;
}

/**
 * A future change of a team's total rate: its time and the difference per hour, in micro-dollars; negative for
 * less.
 */
export interface RateChange {
  at: Date;
  more: number;
}

/** Converts rate changes to steps for `runway`; a change that is due counts from now. */
export const rateSteps = (changes: readonly RateChange[], now: Date): RateStep[] =>
  changes.map(({ at, more }) => ({
    after: Math.max(0, Math.floor((at.getTime() - now.getTime()) / 1000)),
    more,
  }));

/**
 * Returns the seconds until `balance` is used up at this rate, which changes by `steps` (soonest first), rounded
 * down; 0 if it already is; null if spending ends before that.
 */
export function runway(
  balance: number,
  microsPerHour: number,
  steps: readonly RateStep[] = [],
): number | null {
  let left = BigInt(Math.max(0, checked(balance))) * 3600n;
  let rate = checked(microsPerHour);
  let passed = 0;
  for (const { after, more } of steps) {
    const used = BigInt(Math.max(0, rate)) * BigInt(Math.max(0, after - passed));
    if (rate > 0 && used >= left) break;
    left -= used;
    passed = Math.max(passed, after);
    rate += checked(more);
  }
  return rate <= 0 ? null : passed + Number(left / BigInt(rate));
}

/** Returns the text for a `runway`. */
export function lastsText(seconds: number | null): string {
  if (seconds === null) return 'No running costs';
  if (seconds === 0) return 'Used up';
  return seconds > MAX_SECONDS ? 'More than 10 years' : formatDuration(seconds);
}

const MAX_SECONDS = 10 * 365 * 86_400;

/**
 * Rounds down to cents from one dollar up, so that no balance looks larger than it is; smaller amounts keep every
 * digit.
 */
export function roundedUsd(decimal: string): string {
  // Costs of AI requests have more digits than a micro-dollar.
  const micros = parseMicros(decimal.replace(/(\.\d{6})\d+$/, '$1'));
  if (micros === null || Math.abs(micros) < MICROS) return decimal;
  return formatMicros(Math.floor(micros / CENT) * CENT);
}

/** For estimates: rounded to the nearest cent; "< $0.01" below half a cent. */
export function guessedUsd(decimal: string): string {
  const micros = parseMicros(decimal.replace(/(\.\d{6})\d+$/, '$1'));
  if (micros === null) return decimal;
  const cents = Math.round(micros / CENT);
  return cents === 0 && micros > 0 ? '< $0.01' : exactUsd(formatMicros(cents * CENT));
}
