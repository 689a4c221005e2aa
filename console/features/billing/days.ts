import type { Transaction } from '../../../generated/api/types.gen';
import { formatMicros, parseMicros } from '../../lib/billing/money';

/** A row of the list: a transaction, or consecutive hours of usage on one UTC day. */
export interface LedgerRow {
  id: string;
  /** The transaction; a day's latest. */
  shown: Transaction;
  /** If there is more than one, this row stands for all of them. */
  hours: readonly Transaction[];
  /** Whether it is an hour of the day row above. */
  within: boolean;
  amount: string;
  credits: string;
  prepaid: string;
}

const dayOf = ({ effective_at }: Transaction): string =>
  // The hour before midnight ends at the start of the next day, but belongs to its own.
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
 * Joins a day's consecutive hours of usage into a row with their sum. Rows whose ID is in `open` are followed by
 * their hours. The row ID is derived from the day, so that it stays open when another hour arrives.
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

/** Returns "Usage on Nov 23, 2026" for a day's hours, else the transaction's own description. */
export const describe = ({ shown, hours }: Pick<LedgerRow, 'shown' | 'hours'>): string =>
  hours.length === 1 ? shown.description : `Usage on ${DAY.format(Date.parse(shown.effective_at) - 1)}`;
