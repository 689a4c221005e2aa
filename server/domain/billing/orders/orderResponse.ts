import { allows, OPEN_ORDER } from '../../../../console/lib/billing/allowedActions';
import { formatMicros } from '../../../../console/lib/billing/money';
import type {
  AdminOrder,
  AdminOrderProduct,
  Order,
  OrderProduct,
  OrderState,
} from '../../../../generated/api/types.gen';
import { cvmRef, iso, type CvmRefFields } from '../../core/references';
import { paymentOut } from '../billingResponse';
import type { Coverage, OfferedCoverage } from '../metering';
import { refundOf, rulesOf, type OrderPeriod, type Term } from './order';

/* Maps rows to API responses. Amounts are micro-dollars inside, and decimal strings of dollars outside. */

interface Agreed {
  name: string;
  instance_type: string;
  covers: Coverage;
  period: OrderPeriod;
  price_micros: number;
  min_periods: number;
  refund_percent: number;
}

interface ProductFields extends Agreed {
  covers: OfferedCoverage;
  id: number;
  public_id: string;
  description: string;
  max_periods: number;
  stock: number;
  starts_at: Date | null;
  ends_at: Date | null;
  state: 'active' | 'retired';
  version: number;
  created_by: number | null;
  created_at: Date;
  updated_at: Date;
}

export interface OfferFields extends ProductFields {
  left: number;
  vcpu: number;
  memory_mb: number;
  gpu_count: number;
  hourly_rate_micros: number;
  gpu_rate_micros: number;
}

export const offerOut = (row: OfferFields): OrderProduct => ({
  id: row.public_id,
  name: row.name,
  description: row.description,
  instance_type: row.instance_type,
  vcpu: row.vcpu,
  memory_mb: row.memory_mb,
  gpus: row.gpu_count,
  covers: row.covers,
  period: row.period,
  price: formatMicros(row.price_micros),
  hourly_rate: formatMicros(row.covers === 'gpus' ? row.gpu_rate_micros : row.hourly_rate_micros),
  min_periods: row.min_periods,
  max_periods: row.max_periods,
  refund_percent: row.refund_percent,
  left: row.left,
  starts_at: iso(row.starts_at),
  ends_at: iso(row.ends_at),
  version: row.version,
  rules: rulesOf(row),
});

/** A term as JSON. */
type StoredTerm = Omit<Term, 'starts_at' | 'ends_at'> & { starts_at: string; ends_at: string };

interface Sums {
  open_terms: readonly StoredTerm[];
  charged_micros: number;
  refunded_micros: number;
}

interface OrderFields extends Agreed {
  id: number;
  public_id: string;
  state: OrderState;
  periods: number;
  starts_at: Date | null;
  ends_at: Date | null;
  pay_until: Date | null;
  renews: boolean;
  renew_at: Date | null;
  reason: string | null;
  created_at: Date;
}

/** Facts about an order from other tables. */
export interface OrderFacts extends Sums {
  product_public_id: string;
  cvm: CvmRefFields | null;
  /** As JSON. */
  payment: (Parameters<typeof paymentOut>[0] & { created_at: string; updated_at: string }) | null;
}

/** Returns the refund by its rules if an order were canceled now. */
const refundNow = ({ open_terms }: Sums, agreed: Agreed, now: Date): number =>
  open_terms.reduce(
    (sum, term) =>
      sum +
      refundOf(
        { ...term, starts_at: new Date(term.starts_at), ends_at: new Date(term.ends_at) },
        agreed,
        now,
      ),
    0,
  );

/** The rules state whether disk is covered, too. */
const coversOut = (covers: Coverage): OfferedCoverage => (covers === 'gpus' ? 'gpus' : 'cvm');

const isOpen = (state: OrderState): boolean => allows(OPEN_ORDER, state);

export const orderOut = (row: OrderFields & OrderFacts, now: Date): Order => ({
  id: row.public_id,
  product_id: row.product_public_id,
  name: row.name,
  instance_type: row.instance_type,
  covers: coversOut(row.covers),
  state: row.state,
  period: row.period,
  price: formatMicros(row.price_micros),
  periods: row.periods,
  total: formatMicros(row.price_micros * row.periods),
  starts_at: iso(row.starts_at),
  ends_at: iso(row.ends_at),
  pay_until: iso(row.pay_until),
  payment:
    row.payment === null
      ? null
      : paymentOut({
          ...row.payment,
          created_at: new Date(row.payment.created_at),
          updated_at: new Date(row.payment.updated_at),
        }),
  renews: row.renews,
  renews_at: iso(row.renew_at),
  refund: isOpen(row.state) ? formatMicros(refundNow(row, row, now)) : null,
  charged: formatMicros(row.charged_micros),
  refunded: formatMicros(row.refunded_micros),
  cvm: row.cvm && cvmRef(row.cvm),
  reason: row.reason,
  rules: rulesOf(row),
  created_at: row.created_at.toISOString(),
});

export interface AdminOrderFields extends OrderFields, Sums {
  team_id: number;
  product_id: number;
  payment_id: number | null;
  /** Its `vm_uuid`. */
  cvm_id: string | null;
  created_by: number | null;
  closed_at: Date | null;
  updated_at: Date;
}

export const adminOrderOut = (row: AdminOrderFields): AdminOrder => ({
  id: row.id,
  public_id: row.public_id,
  team_id: row.team_id,
  product_id: row.product_id,
  name: row.name,
  instance_type: row.instance_type,
  covers: coversOut(row.covers),
  state: row.state,
  period: row.period,
  price: formatMicros(row.price_micros),
  periods: row.periods,
  total: formatMicros(row.price_micros * row.periods),
  min_periods: row.min_periods,
  refund_percent: row.refund_percent,
  starts_at: iso(row.starts_at),
  ends_at: iso(row.ends_at),
  pay_until: iso(row.pay_until),
  payment_id: row.payment_id,
  renews: row.renews,
  charged: formatMicros(row.charged_micros),
  refunded: formatMicros(row.refunded_micros),
  refund_by_rules: formatMicros(isOpen(row.state) ? refundNow(row, row, new Date()) : 0),
  cvm_id: row.cvm_id,
  reason: row.reason,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  closed_at: iso(row.closed_at),
  updated_at: row.updated_at.toISOString(),
});

export type AdminProductFields = ProductFields & {
  taken: number;
  rated_hourly_micros: number;
  rated_gpu_micros: number;
};

export const adminProductOut = (row: AdminProductFields): AdminOrderProduct => ({
  id: row.id,
  public_id: row.public_id,
  name: row.name,
  description: row.description,
  instance_type: row.instance_type,
  covers: row.covers,
  period: row.period,
  price: formatMicros(row.price_micros),
  min_periods: row.min_periods,
  max_periods: row.max_periods,
  refund_percent: row.refund_percent,
  stock: row.stock,
  taken: row.taken,
  starts_at: iso(row.starts_at),
  ends_at: iso(row.ends_at),
  state: row.state,
  compared_rate: formatMicros(row.covers === 'gpus' ? row.rated_gpu_micros : row.rated_hourly_micros),
  version: row.version,
  rules: rulesOf(row),
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
