import type { GpuRentalOrder, OrderState } from '../../../../generated/api/types.gen';
import type { OrderPeriod } from './order';

const DAY_MS = 86_400_000;

/** An order beside the CVM it covers, with times as text. */
export interface CoveringOrderFields {
  public_id: string;
  state: OrderState;
  name: string;
  period: OrderPeriod;
  renews: boolean;
  starts_at: string | null;
  ends_at: string | null;
  renew_at: string | null;
  closed_at: string | null;
  product_public_id: string;
}

const time = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());

/** Returns an order as published clients show it beside a CVM with GPUs. */
export function gpuRentalOrder(order: CoveringOrderFields): GpuRentalOrder {
  const { starts_at, ends_at, state, renews } = order;
  const closed_at = time(order.closed_at);
  return {
    order_id: order.public_id,
    status: state,
    pricing_plan: order.period,
    commitment_days:
      starts_at === null || ends_at === null
        ? null
        : Math.round((new Date(ends_at).getTime() - new Date(starts_at).getTime()) / DAY_MS),
    auto_renew: renews,
    expires_at: time(ends_at),
    renewal_in_progress: false,
    renewal_next_attempt_at: renews ? time(order.renew_at) : null,
    agreed_hourly_rate: null,
    hourly_billing_start_time: renews ? null : time(ends_at),
    activated_at: time(starts_at),
    completed_at: state === 'ended' ? closed_at : null,
    cancelled_at: state === 'cancelled' || state === 'refunded' ? closed_at : null,
    decoupled_at: null,
    sku_code: order.product_public_id,
    sku_display_name: order.name,
  };
}
