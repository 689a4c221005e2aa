import type { TransactionKind } from '../../../generated/api/types.gen';
import {
  COST_GROUPS,
  PERIODS,
  USAGE_GROUPS,
  type CostGrouping,
  type Period,
  type UsageGrouping,
} from './periods';

/**
 * The team, since the path doesn't name it. The key is always present, so that an invalid value is removed from the
 * address.
 */
export interface BillingSearch {
  team: string | undefined;
}

export const billingSearch = ({ team }: Record<string, unknown>): BillingSearch => ({
  team: typeof team === 'string' && team !== '' ? team : undefined,
});

interface BillingPageSearch extends BillingSearch {
  /** The card payment whose payment page the payer has left. */
  payment: string | undefined;
  /** Whether it was paid there. */
  checkout: 'done' | 'left' | undefined;
}

export function billingPageSearch(search: Record<string, unknown>): BillingPageSearch {
  const { payment, checkout } = search;
  const isReturn =
    typeof payment === 'string' &&
    /^pay_\w{1,60}$/.test(payment) &&
    (checkout === 'done' || checkout === 'left');
  return {
    ...billingSearch(search),
    payment: isReturn ? payment : undefined,
    checkout: isReturn ? checkout : undefined,
  };
}

export interface TransactionsSearch extends BillingSearch {
  kind: TransactionKind | undefined;
  /** In UTC, such as "2026-11". */
  month: string | undefined;
  /** Absent for the ledger. */
  tab: 'invoices' | undefined;
  /** ID of the open invoice. */
  invoice: string | undefined;
}

/** The kinds without labels, which only the transactions page needs. */
export const TRANSACTION_KINDS = [
  'top_up',
  'usage',
  'usage_correction',
  'credit_grant',
  'credit_expiry',
  'credit_revocation',
  'refund',
  'dispute',
  'dispute_reversal',
  'adjustment',
  'write_off',
  'order',
  'order_refund',
  'tax',
] as const satisfies readonly TransactionKind[];

const isMonth = (text: string) => /^20\d\d-(0[1-9]|1[0-2])$/.test(text);

export function transactionsSearch(search: Record<string, unknown>): TransactionsSearch {
  const { kind, month, tab, invoice } = search;
  const known = TRANSACTION_KINDS.find((one) => one === kind);
  const invoices = tab === 'invoices';
  return {
    ...billingSearch(search),
    kind: invoices ? undefined : known,
    month: !invoices && typeof month === 'string' && isMonth(month) ? month : undefined,
    tab: invoices ? tab : undefined,
    invoice: invoices && typeof invoice === 'string' && /^inv_\w{1,60}$/.test(invoice) ? invoice : undefined,
  };
}

/** Returns the list's address with this search. */
export function transactionsHref({
  team,
  kind,
  month,
  tab,
  invoice,
}: BillingSearch & Partial<TransactionsSearch>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ team, kind, month, tab, invoice }))
    if (value !== undefined) query.set(key, value);
  const text = query.toString();
  return `/transactions${text === '' ? '' : `?${text}`}`;
}

interface PeriodSearch extends BillingSearch {
  /** Absent for this month. */
  period: Period | undefined;
}

const periodOf = (value: unknown): Period | undefined =>
  PERIODS.find((one) => one === value && one !== 'month');

export interface CostSearch extends PeriodSearch {
  /** Absent for grouping by app. */
  by: CostGrouping | undefined;
  /** Absent for the cost tab. */
  tab: 'reservations' | undefined;
}

export const costSearch = (search: Record<string, unknown>): CostSearch => ({
  ...billingSearch(search),
  period: periodOf(search.period),
  by: COST_GROUPS.find((one) => one === search.by && one !== 'app'),
  tab: search.tab === 'reservations' ? search.tab : undefined,
});

export interface UsageSearch extends PeriodSearch {
  /** Absent for the total. */
  by: UsageGrouping | undefined;
}

export const usageSearch = (search: Record<string, unknown>): UsageSearch => ({
  ...billingSearch(search),
  period: periodOf(search.period),
  by: USAGE_GROUPS.find((one) => one === search.by && one !== 'total'),
});

/** Returns a page's address with this search. */
export function moneyHref(path: '/cost' | '/usage', search: CostSearch | UsageSearch): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) if (value !== undefined) query.set(key, value);
  const text = query.toString();
  return `${path}${text === '' ? '' : `?${text}`}`;
}
