import { formatMicros, formatUsd } from '../../../console/lib/billing/money';
import { Problem } from '../core/problem';

/** Micro-dollars a team can still commit to. */
export interface Funds {
  /** Credits and prepaid money, minus usage; negative is debt. */
  balance: number;
  /** Credit limit: how far below zero the balance may go. */
  cap: number;
  /** Set aside for the first hours of started CVMs, and for AI requests in progress. */
  held: number;
}

export const availableFunds = ({ balance, cap, held }: Funds): number => balance + cap - held;

/** Payments are whole cents; in micro-dollars. */
const CENT = 10_000;
/** Minimum payment in micro-dollars. */
export const MIN_PAYMENT = 1_000_000;

/** Returns the smallest payment that covers an amount. */
export const payable = (missing: number): number => Math.max(MIN_PAYMENT, Math.ceil(missing / CENT) * CENT);

/** Names an amount due: in cents, rounded up, so that paying it settles the debt. */
export const dueUsd = (micros: number): string => formatUsd(Math.ceil(micros / CENT) * CENT);

/**
 * Returns the refusal if the funds don't cover the first hour of what would start, or another purpose; else
 * null.
 */
export function fundsRefusal(
  funds: Funds,
  required: number,
  { costs, ...team }: { slug: string; publicUrl: string; costs?: string },
): Problem | null {
  const available = availableFunds(funds);
  if (required <= 0 || available >= required) return null;
  const missing = required - available;
  const pay = payable(missing);
  const held =
    funds.held > 0
      ? `, ${formatUsd(funds.held)} of it set aside for the first hour of CVMs and AI requests in progress`
      : '';
  const most = funds.balance + funds.cap;
  const has = most < 0 ? `owes ${formatUsd(-most)}` : `has ${formatUsd(most)} to spend${held}`;
  return new Problem('INSUFFICIENT_BALANCE', {
    message: `${costs ?? 'The first hour costs'} ${formatUsd(required)}, but the team ${has}. The team is ${formatUsd(missing)} short.`,
    details: [
      { field: 'required', value: formatMicros(required) },
      { field: 'available', value: formatMicros(available) },
      { field: 'missing', value: formatMicros(missing) },
    ],
    suggestions: [
      `Add at least ${formatUsd(pay)} on the billing page, or redeem a promotion code.`,
      ...(costs === undefined ? ['Stop a CVM you don’t need, or choose a smaller size.'] : []),
    ],
    links: [addFunds(team)],
  });
}

/** Returns the refusal to run a CVM of a team whose CVMs are stopped for a debt. @param due micro-dollars */
export const overdueRefusal = (due: number, team: { slug: string; publicUrl: string }): Problem =>
  new Problem('INSUFFICIENT_BALANCE', {
    message: `${dueUsd(due)} is due. CVMs are stopped until it is paid.`,
    details: [{ field: 'missing', value: formatMicros(due) }],
    suggestions: [`Add at least ${formatUsd(payable(due))} on the billing page, or redeem a promotion code.`],
    links: [addFunds(team)],
  });

const addFunds = ({ slug, publicUrl }: { slug: string; publicUrl: string }) => ({
  label: 'Add funds',
  url: `${publicUrl}/setup-billing?team=${encodeURIComponent(slug)}`,
});

/**
 * Returns why a team that owes money, or may soon, can't be deleted or change owners: the debt would be
 * forgiven, or left to another member. Null if it owes nothing.
 *
 * @param cap credit limit in micro-dollars, within which nothing is due
 * @param has_cvms whether amounts set aside may be for the first hour of CVMs
 */
export function moneyRefusal(
  name: string,
  { balance, held }: Pick<Funds, 'balance' | 'held'>,
  { cap = 0, has_cvms = false } = {},
): string | null {
  if (balance + cap < 0) return `${name} owes ${formatUsd(-balance)}. Settle it first.`;
  if (balance + cap >= held) return null;
  const aside = `${name} has a balance of ${formatUsd(balance)}, but ${formatUsd(held)} is set aside for`;
  return has_cvms
    ? `${aside} the first hour of CVMs, and for AI requests and refunds in progress. Add funds, or try again later.`
    : `${aside} AI requests and refunds in progress. Add funds, or wait until they finish.`;
}
