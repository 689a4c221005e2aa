import type { Transaction } from '../../../generated/api/types.gen';
import { formatMicros, parseMicros } from '../../lib/billing/money';

/** A row of the list: a transaction, or the hours of usage that follow each other on one day (UTC). */
export interface LedgerRow {
  id: string;
  /** The transaction; the latest one of a day. */
  shown: Transaction;
  /** More than one: this row stands for all of them. */
  hours: readonly Transaction[];
  /** One of the hours of the day above. */
  within: boolean;
  amount: string;
  credits: string;
  prepaid: string;
}

const dayOf = ({ effective_at }: Transaction): string =>
  // The hour before midnight ends with the day, and belongs to it.
  new Date(Date.parse(effective_at) - 1).toISOString().slice(0, 10);

const sumOf = (hours: readonly Transaction[], key: 'amount' | 'credits' | 'prepaid'): string =>
  formatMicros(hours.reduce((sum, hour) => sum + (parseMicros(hour[key]) ?? 0), 0));

const single = (shown: Transaction, within = false): LedgerRow => ({
  id: shown.id,
  shown,
  hours: [shown],
  within,
  amount: shown.amount,
  credits: shown.credits,
  prepaid: shown.prepaid,
});

/**
 * Joins consecutive hours of usage of one day to a row with their sum; those whose ID is in `open` are followed by their
 * hours. The ID of such a row is its day's, so that it stays open when another hour arrives.
 */
export function ledgerRows(transactions: readonly Transaction[], open: ReadonlySet<string>): LedgerRow[] {
  const rows: LedgerRow[] = [];
  for (let i = 0; i < transactions.length;) {
    const first = transactions[i]!;
    let end = i + 1;
    if (first.kind === 'usage')
      while (transactions[end]?.kind === 'usage' && dayOf(transactions[end]!) === dayOf(first)) end += 1;
    const hours = transactions.slice(i, end);
    if (hours.length === 1) rows.push(single(first));
    else {
      const id = `day-${dayOf(first)}-${hours.at(-1)!.id}`;
      const sums = {
        amount: sumOf(hours, 'amount'),
        credits: sumOf(hours, 'credits'),
        prepaid: sumOf(hours, 'prepaid'),
      };
      rows.push({ id, shown: first, hours, within: false, ...sums });
      if (open.has(id)) rows.push(...hours.map((hour) => single(hour, true)));
    }
    i = end;
  }
  return rows;
}

const DAY = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Usage on Nov 23, 2026" for the hours of a day; a transaction's own description otherwise. */
export const describe = ({ shown, hours }: Pick<LedgerRow, 'shown' | 'hours'>): string =>
  hours.length === 1 ? shown.description : `Usage on ${DAY.format(Date.parse(shown.effective_at) - 1)}`;
