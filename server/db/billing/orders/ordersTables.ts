import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { OrderState } from '../../../../generated/api/types.gen';
import type { Coverage, OfferedCoverage } from '../../../domain/billing/metering';
import type { OrderPeriod, RenewalRefusal } from '../../../domain/billing/orders/order';

type Once<T> = ColumnType<T, T, never>;

/** One row per product that administrators offer (migration 0110_orders). */
export interface OrderProductsTable {
  id: GeneratedAlways<number>;
  public_id: Once<string>;
  name: string;
  description: Generated<string>;
  instance_type: string;
  covers: OfferedCoverage;
  period: OrderPeriod;
  /** Per period, in whole cents. */
  price_micros: number;
  min_periods: number;
  max_periods: number;
  refund_percent: number;
  stock: number;
  /** When the capacity becomes available. */
  starts_at: Date | null;
  ends_at: Date | null;
  state: Generated<'active' | 'retired'>;
  /** The instance type's rates when the product was last saved, from which approvals computed the giveaway. */
  rated_hourly_micros: Generated<number>;
  rated_gpu_micros: Generated<number>;
  /** Incremented by a trigger whenever the buyers' terms change. */
  version: ColumnType<number, never, never>;
  created_by: number | null;
  created_at: ColumnType<Date, never, never>;
  updated_at: Generated<Date>;
}

export type OrderProductRow = Selectable<OrderProductsTable>;

/** One row per order. Price and rules are those agreed. */
export interface OrdersTable {
  id: GeneratedAlways<number>;
  public_id: Once<string>;
  team_id: Once<number>;
  product_id: Once<number>;
  state: OrderState;
  name: Once<string>;
  instance_type: Once<string>;
  covers: Once<Coverage>;
  period: Once<OrderPeriod>;
  price_micros: Once<number>;
  periods: Once<number>;
  min_periods: Once<number>;
  refund_percent: Once<number>;
  product_version: Once<number>;
  starts_at: Date | null;
  ends_at: Generated<Date | null>;
  renews: boolean;
  pay_until: Date | null;
  payment_id: Generated<number | null>;
  notice_at: Generated<Date | null>;
  renew_at: Generated<Date | null>;
  /** Reasons already notified for a failed renewal of the current term, each once. */
  renewal_told: Generated<RenewalRefusal[]>;
  closed_at: Generated<Date | null>;
  reason: Generated<string | null>;
  created_by: number | null;
  created_at: ColumnType<Date, never, never>;
  updated_at: Generated<Date>;
}

export type OrderRow = Selectable<OrdersTable>;

/** One row per paid term, append-only. */
export interface OrderTermsTable {
  order_id: Once<number>;
  number: Once<number>;
  starts_at: Once<Date>;
  ends_at: Once<Date>;
  amount_micros: Once<number>;
  transaction_id: Once<number>;
}

/** One row per refund of a term, append-only. */
export interface OrderRefundsTable {
  id: GeneratedAlways<number>;
  public_id: Once<string>;
  order_id: Once<number>;
  number: Once<number>;
  amount_micros: Once<number>;
  reason: Once<string>;
  transaction_id: Once<number>;
  created_by: Once<number | null>;
  created_at: ColumnType<Date, never, never>;
}
