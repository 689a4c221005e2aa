import { DISK_GB_HOUR, moreDiskMicros } from '../billing/spend';
import type { Offer } from './site';

/** Hours in the month used for price quotes (365 × 24 / 12). */
const MONTH_HOURS = 730;

/** The configuration whose price a visitor requests. */
export interface Quote {
  type: string;
  /** Number of CVMs of this size. */
  count: number;
  /** Hours per month that each runs; stopped for the rest. */
  hours: number;
  /** GB. */
  disk: number;
}

export const QUOTE_LIMITS = { count: 100, hours: MONTH_HOURS, disk: 4096 } as const;

export type QuoteField = keyof typeof QUOTE_LIMITS;

/** Parses a text as a number; null if it isn't valid for the field. */
function wholeIn(name: QuoteField, text: string | null): number | null {
  const given = Number(text ?? '');
  return Number.isInteger(given) && given >= 1 && given <= QUOTE_LIMITS[name] ? given : null;
}

/** Returns the fields whose text was replaced by a default, so that the page can say so. */
export const ignoredOf = (query: (name: string) => string | null): QuoteField[] =>
  (Object.keys(QUOTE_LIMITS) as QuoteField[]).filter(
    (name) => (query(name) ?? '') !== '' && wholeIn(name, query(name)) === null,
  );

/** Reads a quote from a query string; missing or out-of-range values take the first offer's defaults. */
export function quoteOf(query: (name: string) => string | null, offers: readonly Offer[]): Quote {
  const type = offers.find(({ id }) => id === query('type')) ?? offers[0];
  const whole = (name: QuoteField, fallback: number) => wholeIn(name, query(name)) ?? fallback;
  return {
    type: type?.id ?? '',
    count: whole('count', 1),
    hours: whole('hours', MONTH_HOURS),
    disk: whole('disk', type?.disk_gb ?? 20),
  };
}

/** Returns the quote as a query string, for a shareable address. */
export const quoteSearch = ({ type, count, hours, disk }: Quote): string =>
  `?${new URLSearchParams({ type, count: String(count), hours: String(hours), disk: String(disk) }).toString()}`;

export interface Price {
  running_micros: number;
  stopped_micros: number;
  month_micros: number;
}

/** Returns an offer's hourly cost with this disk size; the rate includes the offer's own disk. */
export const rateWithDisk = (
  { rate_micros, disk_gb }: Pick<Offer, 'rate_micros' | 'disk_gb'>,
  disk: number,
): number => rate_micros + moreDiskMicros(disk, disk_gb);

/**
 * Returns micro-dollars per month: running hours at the size's rate plus additional disk, the others at the disk
 * price.
 */
export function priceOf(quote: Quote, offer: Offer): Price {
  const running_micros = quote.count * quote.hours * rateWithDisk(offer, quote.disk);
  const stopped_micros = quote.count * (MONTH_HOURS - quote.hours) * quote.disk * DISK_GB_HOUR;
  return { running_micros, stopped_micros, month_micros: running_micros + stopped_micros };
}
