import { keepPreviousData, useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import {
  getCardSettingsOptions,
  getCostForecastOptions,
  getBillingDetailsOptions,
  getDebtOptions,
  getInvoiceOptions,
  getTeamCostOptions,
  getTeamUsageOptions,
  getUsdcPaymentsOptions,
  listBudgetsOptions,
  listCreditsOptions,
  listCvmsPaginatedOptions,
  listInvoiceLinesInfiniteOptions,
  listInvoicesInfiniteOptions,
  listOrdersInfiniteOptions,
  listTopUpsInfiniteOptions,
  listTransactionsInfiniteOptions,
} from '../../../generated/api/@tanstack/react-query.gen';
import type { Payment, PaymentPage, TransactionKind } from '../../../generated/api/types.gen';
import { inTeam } from '../../api/client';
import { balanceOptions } from '../../api/runway';
import { periodQuery } from './periods';
import type { CostSearch, UsageSearch } from './search';

/** An administrator can confirm a payment at any time. */
const WATCH_MS = 15_000;
/** Payers return from the card page seconds before confirmation. */
const CARD_MS = 3_000;

const keyset = {
  // An object, because an empty cursor isn't a cursor.
  initialPageParam: { query: {} },
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor,
  staleTime: 5_000,
};

export const paymentsOptions = (slug: string) => ({
  ...listTopUpsInfiniteOptions({ ...inTeam(slug), query: { limit: 50 } }),
  ...keyset,
  refetchInterval: ({ state }: { state: { data?: InfiniteData<PaymentPage> | undefined } }) =>
    paymentsIn(state.data)?.some(isCardPending) ? CARD_MS : WATCH_MS,
});

/** The payments loaded so far; undefined during the first load. */
export const paymentsIn = (data: InfiniteData<PaymentPage> | undefined): Payment[] | undefined =>
  data?.pages.flatMap(({ items }) => items);

const isCardPending = ({ driver, state }: Payment) => driver === 'stripe' && state === 'pending';

/** A card saved at Stripe arrives seconds after the payer returns. */
export const cardOptions = (slug: string) => ({
  ...getCardSettingsOptions({ ...inTeam(slug) }),
  staleTime: 2_000,
  refetchInterval: CARD_MS,
});

export const creditsOptions = (slug: string) => ({
  ...listCreditsOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
});

export const usdcOptions = (slug: string) => ({
  ...getUsdcPaymentsOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: WATCH_MS,
});

export const transactionsOptions = (
  slug: string,
  { kind, month }: { kind: TransactionKind | undefined; month: string | undefined },
) => ({
  ...listTransactionsInfiniteOptions({
    ...inTeam(slug),
    query: {
      limit: 100,
      ...(kind === undefined ? {} : { kind: [kind] }),
      ...(month === undefined ? {} : { month }),
    },
  }),
  ...keyset,
});

export const invoicesOptions = (slug: string) => ({
  ...listInvoicesInfiniteOptions({ ...inTeam(slug), query: { limit: 50 } }),
  ...keyset,
  // Invoices are issued and paid without any action on this page.
  refetchInterval: WATCH_MS,
});

export const invoiceOptions = (slug: string, invoice_id: string) => ({
  ...getInvoiceOptions({ ...inTeam(slug), path: { invoice_id } }),
  staleTime: 5_000,
});

export const invoiceLinesOptions = (slug: string, invoice_id: string) => ({
  ...listInvoiceLinesInfiniteOptions({ ...inTeam(slug), path: { invoice_id }, query: { limit: 100 } }),
  ...keyset,
  initialPageParam: { path: { invoice_id }, query: {} },
});

export const detailsOptions = (slug: string) => ({
  ...getBillingDetailsOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
});

/** Costs grow slowly, and summing a long period takes a moment. */
const COST_MS = 60_000;

export const costOptions = (slug: string, { period, by = 'app' }: CostSearch) => ({
  ...getTeamCostOptions({ ...inTeam(slug), query: { ...periodQuery(period, new Date()), group_by: by } }),
  staleTime: COST_MS / 2,
  refetchInterval: COST_MS,
  placeholderData: keepPreviousData,
});

/** An order is charged within seconds of its payment arriving. */
export const ordersOptions = (slug: string) => ({
  ...listOrdersInfiniteOptions({ ...inTeam(slug), query: { limit: 50 } }),
  ...keyset,
  refetchInterval: WATCH_MS,
});

/** CVMs that an order for this type could cover: the newest 100. Another tab may just have reserved for them. */
export const coverableOptions = (slug: string, instance_type: string) => ({
  ...listCvmsPaginatedOptions({
    ...inTeam(slug),
    query: { page: 1, page_size: 100, instance_types: [instance_type] },
  }),
  staleTime: 0,
  refetchInterval: WATCH_MS,
});

/** Budgets are checked every minute. */
export const budgetsOptions = (slug: string) => ({
  ...listBudgetsOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: COST_MS / 2,
});

export const usageOptions = (slug: string, { period, by }: UsageSearch) => ({
  ...getTeamUsageOptions({
    ...inTeam(slug),
    query: { ...periodQuery(period, new Date()), group_by: by === 'cvm' ? 'cvm' : 'app' },
  }),
  staleTime: COST_MS / 2,
  refetchInterval: COST_MS,
  placeholderData: keepPreviousData,
});

export const debtOptions = (slug: string) => ({
  ...getDebtOptions({ ...inTeam(slug) }),
  staleTime: 5_000,
  refetchInterval: WATCH_MS,
});

export const forecastOptions = (slug: string) => ({
  ...getCostForecastOptions({ ...inTeam(slug) }),
  staleTime: COST_MS / 2,
  refetchInterval: COST_MS,
});

/** Queries that a payment or a code affects. */
export const MONEY = ['getBilling', 'listTopUps', 'listCredits', 'listTransactions', 'getDebt'] as const;

/** Queries that an order affects: what it covers costs nothing extra, and its GPUs are reserved. */
export const ORDERED = [
  ...MONEY,
  'listOrders',
  'listOrderProducts',
  'getCostForecast',
  'getTeamCost',
  'getAppsSummary',
  'getWorkspaceQuotas',
  'listCvmsPaginated',
] as const;

/**
 * Whether the billing page's panels are loading for the first time. They appear together, because their heights
 * depend on their data and a late one would move those below it.
 */
export function useIsBillingLoading(teamSlug: string, enabled: boolean): boolean {
  const balance = useQuery({ ...balanceOptions(teamSlug), enabled });
  const payments = useInfiniteQuery({ ...paymentsOptions(teamSlug), enabled });
  const credits = useQuery({ ...creditsOptions(teamSlug), enabled });
  const details = useQuery({ ...detailsOptions(teamSlug), enabled });
  const card = useQuery({ ...cardOptions(teamSlug), enabled: balance.data?.card_payments === true });
  const usdc = useQuery({ ...usdcOptions(teamSlug), enabled: balance.data?.usdc_payments === true });
  // A query that failed isn't loading; its panel shows the error.
  return [balance, payments, credits, details, card, usdc].some(({ isLoading }) => isLoading);
}
