import { useQuery } from '@tanstack/react-query';
import { exactUsd, formatMicros, parseMicros } from '../../../console/lib/billing/money';
import {
  codeWorth,
  discountOf,
  meteredPrice,
  moreThanBefore,
  widenedWorth,
  type Code,
  type Product,
  type Rates,
} from '../../../console/lib/billing/worth';
import type {
  AdminApprovalLimit,
  AdminOrderProduct,
  AdminPromotionCode,
} from '../../../generated/api/types.gen';
import { fetchJson } from '../../http';

/**
 * Returns how much of the approval limit the user has used for offers to any team, and the rates to compare prices
 * with.
 */
export function useApprovalLimit(): { limit: AdminApprovalLimit | undefined; now: Date } {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['approval-limit'],
    queryFn: async ({ signal }) =>
      (await fetchJson('/api/v1/admin/approval-limit', { signal })).json as AdminApprovalLimit,
    retry: false,
    // Actions from a moment ago count.
    staleTime: 0,
  });
  return { limit: data, now: new Date(dataUpdatedAt) };
}

/** Form values: each may be missing or not yet valid. */
export type Typed<Fields> = { readonly [Name in keyof Fields]?: unknown };

/** The maximum a form's save gives away, in micro-dollars, and a sentence about it. */
interface Giveaway {
  amount_micros: number;
  text: string;
}

const usd = (micros: number) => exactUsd(formatMicros(micros));
const micros = (value: unknown): number | null => (typeof value === 'string' ? parseMicros(value) : null);
const whole = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
const time = (value: unknown): Date | null => {
  const at = typeof value === 'string' ? new Date(value) : null;
  return at === null || Number.isNaN(at.getTime()) ? null : at;
};
const windowOf = ({
  state,
  starts_at,
  ends_at,
}: Typed<Pick<AdminOrderProduct, 'state' | 'starts_at' | 'ends_at'>>) =>
  ({
    state: state === 'retired' ? 'retired' : 'active',
    starts_at: time(starts_at),
    ends_at: time(ends_at),
  }) as const;

const productOf = (typed: Typed<AdminOrderProduct>): Product | null => {
  const [price_micros, max_periods, stock] = [
    micros(typed.price),
    whole(typed.max_periods),
    whole(typed.stock),
  ];
  if (price_micros === null || max_periods === null || stock === null) return null;
  if (typed.period !== 'day' && typed.period !== 'month') return null;
  const covers = typed.covers === 'gpus' ? 'gpus' : 'cvm';
  return { ...windowOf(typed), covers, period: typed.period, price_micros, max_periods, stock };
};

const ratesOf = ({ rates }: AdminApprovalLimit, instance_type: unknown): Rates | null => {
  const type = rates.find((rate) => rate.instance_type === instance_type);
  const [hourly, gpu] = [micros(type?.hourly_rate), micros(type?.gpu_hourly_rate)];
  return hourly === null || gpu === null ? null : { hourly_rate_micros: hourly, gpu_rate_micros: gpu };
};

/**
 * Returns a product's discount on the metered price; null until the form has the required values.
 * @param before the saved product; only the additional discount counts
 */
export function productGiveaway(
  limit: AdminApprovalLimit,
  typed: Typed<AdminOrderProduct>,
  before: AdminOrderProduct | null,
  now: Date,
): Giveaway | null {
  const product = productOf({ ...before, ...typed });
  const rates = ratesOf(limit, before?.instance_type ?? typed.instance_type);
  if (product === null || rates === null) return null;
  const metered = `The metered price is ${usd(meteredPrice(product.covers, product.period, rates))} per ${product.period}.`;
  const saved = before && productOf(before);
  const compared = micros(before?.compared_rate);
  const amount_micros =
    saved && compared !== null
      ? moreThanBefore(
          product,
          rates,
          { product: saved, rates: { hourly_rate_micros: compared, gpu_rate_micros: compared } },
          now,
        )
      : discountOf(product, rates, now);
  const all = 'if all are ordered and renewed for a year, or until the offer ends';
  if (amount_micros > 0)
    return {
      amount_micros,
      text: `${metered} Buyers pay up to ${usd(amount_micros)} less than ${before ? 'before' : 'that'}, ${all}.`,
    };
  return {
    amount_micros,
    text: `${metered} ${before ? 'This gives away no more than before' : 'This gives nothing away'} and needs no approval.`,
  };
}

const codeOf = (typed: Typed<AdminPromotionCode>): Code | null => {
  const [amount_micros, cap_micros] = [micros(typed.amount), micros(typed.cap)];
  if (amount_micros === null && cap_micros === null) return null;
  return {
    ...windowOf(typed),
    amount_micros,
    cap_micros,
    max_uses: whole(typed.max_uses),
    uses: whole(typed.uses) ?? 0,
    max_uses_per_team: whole(typed.max_uses_per_team),
    new_teams_days: whole(typed.new_teams_days),
    credit_days: whole(typed.credit_days),
  };
};

/**
 * Returns a promotion code's maximum value; null until the form has an amount.
 * @param before the saved code; only the additional value counts
 */
export function codeGiveaway(
  typed: Typed<AdminPromotionCode>,
  before: AdminPromotionCode | null,
  now: Date,
): Giveaway | null {
  const code = codeOf({ ...before, ...typed });
  if (code === null) return null;
  const saved = before && codeOf(before);
  const amount_micros = saved ? widenedWorth(saved, code, now) : codeWorth(code, now);
  if (amount_micros > 0)
    return { amount_micros, text: `The code can grant up to ${usd(amount_micros)}${before ? ' more' : ''}.` };
  return { amount_micros, text: 'This grants no more than before and needs no approval.' };
}
