import { formatUsd } from '../../../../console/lib/billing/money';
import { shortUtcDay, utcMonth } from '../../core/dates';
import type { Payer } from '../invoice';
import { payerLines, sellerLines } from './invoiceDocument';
import type { Paper } from './paper';
import { counted } from '../../../../console/lib/texts/count';

/** A change of the balance in micro-dollars; usage is summed by day. */
export interface StatementRow {
  at: Date;
  description: string;
  prepaid: number;
  credits: number;
}

/**
 * Sum of changes beyond the document's limit, in micro-dollars; `added` and `used` are counted individually.
 */
export interface StatementRest {
  count: number;
  prepaid: number;
  credits: number;
  added: number;
  used: number;
}

interface StatementFacts {
  /** First moments of the month and of the next one. */
  start: Date;
  end: Date;
  made_at: Date;
  payer: Payer;
  seller: string | null;
  seller_vat_id: string | null;
  /** Balances at the start, in micro-dollars. */
  opening: { prepaid: number; credits: number };
  /** Oldest first, at most `MAX_ROWS`. */
  rows: readonly StatementRow[];
  rest: StatementRest;
}

const DAY_MS = 86_400_000;
const sum = (rows: readonly StatementRow[], of: (row: StatementRow) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

/**
 * A team's account in one month: opening balance, every change, and closing balance. Amounts are exact, not
 * rounded to cents.
 */
export function statementDocument(facts: StatementFacts): Paper {
  const { start, end, made_at, opening, rows, rest, payer } = facts;
  const isOver = end <= made_at;
  const both = (row: Pick<StatementRow, 'prepaid' | 'credits'>) => row.prepaid + row.credits;
  const line = (when: string, text: string, of: Pick<StatementRow, 'prepaid' | 'credits'>) => [
    when,
    text,
    usd(of.prepaid),
    usd(of.credits),
    usd(both(of)),
  ];
  const before = both(opening);
  return {
    title: `Statement for ${utcMonth(start)}`,
    issued_at: made_at,
    parties: [
      ['From', sellerLines(facts)],
      ['Account of', payerLines(payer)],
    ],
    facts: [
      [
        'Period',
        `${shortUtcDay(start)} to ${shortUtcDay(new Date(Math.min(end.getTime() - DAY_MS, made_at.getTime())))} (UTC)${isOver ? '' : ', not over yet'}`,
      ],
      ['Team', `${payer.name} (${payer.slug})`],
      ['Created on', shortUtcDay(made_at)],
    ],
    columns: [
      { name: 'Date', share: 0.15 },
      { name: 'Description', share: 0.37 },
      { name: 'Prepaid', share: 0.16, right: true },
      { name: 'Credits', share: 0.16, right: true },
      { name: 'Amount', share: 0.16, right: true },
    ],
    rows: [
      line('', 'Balance before', opening),
      ...rows.map((row) => line(shortUtcDay(row.at), row.description, row)),
      ...(rest.count === 0
        ? []
        : [line('', `${counted(rest.count, ['more change', 'more changes'])}, listed in the console`, rest)]),
    ],
    totals: [
      ['Balance before', usd(before)],
      ['Added', usd(rest.added + sum(rows, (row) => Math.max(0, both(row))))],
      ['Used', usd(rest.used + sum(rows, (row) => Math.min(0, both(row))))],
      [isOver ? 'Balance after (USD)' : 'Balance now (USD)', usd(before + both(rest) + sum(rows, both))],
    ],
    notes: [
      'Usage of the last hour of a day is booked at its end, and belongs to that day.',
      ...(isOver ? [] : ['Usage of the current hour is not booked yet.']),
    ],
  };
}

const usd = formatUsd;
