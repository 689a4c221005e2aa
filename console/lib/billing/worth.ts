/**
 * The maximum an administrator's change can give away, in micro-dollars, compared with the limit above which a
 * second administrator must approve. The server enforces it, and the admin area's forms show it in advance.
 */

/** Below 2^53, and far above any limit. */
const MAX_MICROS = 9_000_000_000_000_000;
/** Redemptions assumed for a code without a limit: the highest limit allowed. */
export const ENDLESS = 1_000_000;
/** Hours in the longest day or month. */
const HOURS = { day: 24, month: 31 * 24 } as const;
/** Periods in a year, the assumed renewal time of an order. */
const RENEWED = { day: 366, month: 12 } as const;
const HOUR_MS = 3_600_000;

const times = (micros: number, count: number) => Math.min(MAX_MICROS, micros * count);

interface Window {
  state: 'active' | 'retired';
  starts_at: Date | null;
  ends_at: Date | null;
}

export interface Code extends Window {
  amount_micros: number | null;
  cap_micros: number | null;
  max_uses: number | null;
  uses: number;
  max_uses_per_team: number | null;
  new_teams_days: number | null;
  credit_days: number | null;
}

const isOver = ({ state, ends_at }: Window, now: Date) =>
  state !== 'active' || (ends_at !== null && ends_at <= now);

/** Returns a code's remaining worth: the value of one use times its remaining redemptions. */
export function codeWorth(code: Code, now: Date): number {
  if (isOver(code, now)) return 0;
  return times(
    code.amount_micros ?? code.cap_micros ?? 0,
    Math.max(0, (code.max_uses ?? ENDLESS) - code.uses),
  );
}

/** Whether a limit was raised; null means unlimited. */
const isRaised = (before: number | null, after: number | null) =>
  before !== null && (after === null || after > before);

const beginsEarlier = (before: Window, after: Window, now: Date) =>
  before.starts_at !== null && before.starts_at > now && (after.starts_at ?? now) < before.starts_at;

/**
 * Returns what a change adds to a code's worth. If it only adds uses, only those count. If it lets more teams
 * redeem the code, or for longer, the code's whole remaining worth counts. Narrowing counts nothing.
 */
export function widenedWorth(before: Code, after: Code, now: Date): number {
  const isWider =
    isRaised(before.ends_at?.getTime() ?? null, after.ends_at?.getTime() ?? null) ||
    beginsEarlier(before, after, now) ||
    isRaised(before.max_uses_per_team, after.max_uses_per_team) ||
    isRaised(before.new_teams_days, after.new_teams_days) ||
    isRaised(before.credit_days, after.credit_days);
  return Math.max(0, codeWorth(after, now) - (isWider ? 0 : codeWorth(before, now)));
}

export interface Product extends Window {
  covers: 'cvm' | 'gpus';
  period: 'day' | 'month';
  price_micros: number;
  max_periods: number;
  stock: number;
}

export interface Rates {
  hourly_rate_micros: number;
  gpu_rate_micros: number;
}

/**
 * Returns the discount that a product's buyers get on the metered price if its whole stock is ordered for the
 * longest term, or renewed for a year if that is longer. Terms end with the product.
 *
 * The product's price moves no money: buyers pay it, and get at most that refunded. But usage covered by an order
 * is metered at zero, so a term far below the metered price forgives usage like a credit, and a stock of one can go
 * to a chosen team. A product at or above the metered price gives nothing away. The price list of instance types
 * and models applies to every team and has its own permission.
 */
export function discountOf(product: Product, rates: Rates, now: Date): number {
  if (isOver(product, now)) return 0;
  const less = meteredPrice(product.covers, product.period, rates) - product.price_micros;
  return times(Math.max(0, less), product.stock * periodsOf(product, now));
}

/** Returns how much more a product gives away than `before` did when last compared at the rates stored there. */
export const moreThanBefore = (
  product: Product,
  rates: Rates,
  before: { product: Product; rates: Rates },
  now: Date,
): number => Math.max(0, discountOf(product, rates, now) - discountOf(before.product, before.rates, now));

/** Returns the metered price of a period, in micro-dollars: at or above it, a product gives nothing away. */
export const meteredPrice = (covers: Product['covers'], period: Product['period'], rates: Rates): number =>
  (covers === 'gpus' ? rates.gpu_rate_micros : rates.hourly_rate_micros) * HOURS[period];

function periodsOf({ period, max_periods, starts_at, ends_at }: Product, now: Date): number {
  const longest = Math.max(max_periods, RENEWED[period]);
  if (ends_at === null) return longest;
  const from = starts_at !== null && starts_at > now ? starts_at : now;
  // A month is at least 28 days.
  const hours = period === 'month' ? 28 * 24 : 24;
  return Math.min(longest, Math.ceil((ends_at.getTime() - from.getTime()) / (hours * HOUR_MS)));
}
