import { DISK_GB_HOUR, moreDiskMicros } from '../billing/spend';
import type { Offer } from './site';

/** Hours of the month that prices are quoted for (365 × 24 / 12). */
const MONTH_HOURS = 730;

/** What a visitor asks the price of. */
export interface Quote {
  type: string;
  /** CVMs of this size. */
  count: number;
  /** Hours a month that each runs; stopped for the rest. */
  hours: number;
  /** GB. */
  disk: number;
}

export const QUOTE_LIMITS = { count: 100, hours: MONTH_HOURS, disk: 4096 } as const;

export type QuoteField = keyof typeof QUOTE_LIMITS;

/** Returns the number that a text is; null if the field can't have it. */
function wholeIn(name: QuoteField, text: string | null): number | null {
  const given = Number(text ?? '');
  return Number.isInteger(given) && given >= 1 && given <= QUOTE_LIMITS[name] ? given : null;
}

/** Returns the fields whose text was replaced by a default, to say so. */
export const ignoredOf = (query: (name: string) => string | null): QuoteField[] =>
  (Object.keys(QUOTE_LIMITS) as QuoteField[]).filter(
    (name) => (query(name) ?? '') !== '' && wholeIn(name, query(name)) === null,
  );

/** Reads a quote from a query string; whatever is missing or out of range takes the default of the first offer. */
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

/** Returns the quote as a query string, for an address that others can open. */
export const quoteSearch = ({ type, count, hours, disk }: Quote): string =>
  `?${new URLSearchParams({ type, count: String(count), hours: String(hours), disk: String(disk) }).toString()}`;

export interface Price {
  running_micros: number;
  stopped_micros: number;
  month_micros: number;
}

/** Returns what an offer costs per hour with a disk: its rate includes its own. */
export const rateWithDisk = (
  { rate_micros, disk_gb }: Pick<Offer, 'rate_micros' | 'disk_gb'>,
  disk: number,
): number => rate_micros + moreDiskMicros(disk, disk_gb);

/** Micro-dollars a month: running hours at the size's rate with that of more disk, the others at the disk's. */
export function priceOf(quote: Quote, offer: Offer): Price {
  const running_micros = quote.count * quote.hours * rateWithDisk(offer, quote.disk);
  const stopped_micros = quote.count * (MONTH_HOURS - quote.hours) * quote.disk * DISK_GB_HOUR;
  return { running_micros, stopped_micros, month_micros: running_micros + stopped_micros };
}
