import { exactUsd, formatMicros, formatUsd } from '../../../../console/lib/billing/money';
import { productsOfType, rerate } from '../../../db/billing/orders/orders';
import type { OrderProductRow } from '../../../db/billing/orders/ordersTables';
import type { Tx } from '../../../db/core/client';
import { counted, MAX_PERIODS, type OrderPeriod } from '../../../domain/billing/orders/order';
import {
  discountOf,
  moreThanBefore,
  type Product as Priced,
  type Rates,
} from '../../../../console/lib/billing/worth';
import { someOf } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import type { Context } from '../../types';
import { doneWithin } from '../approvals/approval';
import { checkWindow } from './promotionWindow';

const MAX_NAMED = 3;

interface Product {
  period: OrderPeriod;
  min_periods: number;
  max_periods: number;
  starts_at: Date | null;
  ends_at: Date | null;
}

/** Checks a product's fields against each other. @throws VALIDATION_FAILED */
export function checkProduct({ period, min_periods, max_periods, starts_at, ends_at }: Product): void {
  const most = MAX_PERIODS[period];
  if (max_periods > most) throw invalid('max_periods', `Terms are at most ${most} ${period}s.`);
  if (min_periods > max_periods)
    throw invalid('min_periods', 'The shortest term must not be longer than the longest.');
  checkWindow({ starts_at, ends_at });
}

type Offer = Priced & { name: string };
type Rated = Offer & Pick<OrderProductRow, 'rated_hourly_micros' | 'rated_gpu_micros'>;

/** Rates to store with a product, so that a later rate increase is compared with them. */
export const ratedAt = ({ hourly_rate_micros, gpu_rate_micros }: Rates) => ({
  rated_hourly_micros: hourly_rate_micros,
  rated_gpu_micros: gpu_rate_micros,
});

/** A saved product with the rates it was last compared with. */
const comparedWith = (before: Rated) => ({
  product: before,
  rates: { hourly_rate_micros: before.rated_hourly_micros, gpu_rate_micros: before.rated_gpu_micros },
});

/** Returns the action to approve: how much more the product gives away than before. */
export function discountAction(
  product: Offer,
  rates: Rates,
  before?: Rated,
): { team_id: null; target: string; amount_micros: number; reason: string } {
  const now = new Date();
  const { name, price_micros, period, stock, max_periods } = product;
  const amount_micros = before
    ? moreThanBefore(product, rates, comparedWith(before), now)
    : discountOf(product, rates, now);
  const less = `${exactUsd(formatMicros(amount_micros))} less than ${before ? 'before' : 'by the hour'}`;
  return {
    team_id: null,
    target: name.slice(0, 64),
    amount_micros,
    reason: `${formatUsd(price_micros)} per ${period}, below the metered price: ${stock} at a time, for up to ${counted(max_periods, period)}, renewable. If all are ordered and renewed for a year, or until the offer ends, buyers pay ${less}`,
  };
}

/**
 * Counts what products of a locked type give away through a raised rate, together with the administrator's other
 * actions without an approval. Above the limit, refuses the rate. Lock the products first (`lockProductsOfType`).
 * @throws VALIDATION_FAILED
 */
export async function rateProducts(
  ctx: Context,
  trx: Tx,
  instance_type: string,
  rates: Rates,
): Promise<void> {
  const limit = ctx.config.approvalLimit;
  if (limit === null) return;
  const now = new Date();
  const cheaper = (await productsOfType(trx, instance_type))
    .map((product) => ({
      name: product.name,
      more: moreThanBefore(product, rates, comparedWith(product), now),
    }))
    .filter(({ more }) => more > 0);
  const sum = cheaper.reduce((total, { more }) => total + more, 0);
  if (sum === 0) return;
  const isDone = await doneWithin(ctx, trx, {
    action: 'raise_rate',
    path: { id: instance_type },
    body: {},
    team_id: null,
    target: instance_type.slice(0, 64),
    amount_micros: sum,
    reason: `To ${formatUsd(rates.hourly_rate_micros)} per hour, which ${cheaper.length === 1 ? 'a product is' : `${cheaper.length} products are`} below`,
  });
  // Counted: if the rate rises again, only the difference is.
  if (isDone) return rerate(trx, instance_type, ratedAt(rates));
  const names = cheaper.slice(0, MAX_NAMED).map(({ name }) => `“${name}”`);
  throw invalid(
    'hourly_rate',
    `Orders of ${someOf(names, cheaper.length)} would then cost up to ${formatUsd(sum)} less than the metered price. Including what you granted in the last 24 hours, that exceeds ${formatUsd(limit)}, the limit without an approval. Raise their prices or retire them first.`,
  );
}
