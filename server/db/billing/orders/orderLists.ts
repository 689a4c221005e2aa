import { sql } from 'kysely';
import type { AdminOrder, AdminOrderProduct } from '../../../../generated/api/types.gen';
import type {
  AdminOrderFields,
  AdminProductFields,
  OfferFields,
  OrderFacts,
} from '../../../domain/billing/orders/orderResponse';
import type { AdminFieldKind, AdminListSource } from '../../core/adminList';
import type { Db, Tx } from '../../core/client';
import type { OrderRow } from './ordersTables';

/** Products offered at a time. */
const MAX_OFFERS = 200;

const TAKEN = sql`(select count(*)::int from orders o where o.product_id = p.id and o.state in ('pending', 'paid', 'active'))`;

/** Returns the available products, and the remaining stock of each. */
export async function offers(db: Db, now: Date): Promise<OfferFields[]> {
  const { rows } = await sql<OfferFields>`
    select p.*, greatest(0, p.stock - ${TAKEN})::int as left, t.vcpu, t.memory_mb, t.gpu_count,
      t.hourly_rate_micros, t.gpu_rate_micros
    from order_products p join instance_types t on t.id = p.instance_type
    where p.state = 'active' and t.state = 'active' and (p.ends_at is null or p.ends_at > ${now})
    order by p.name, p.id limit ${MAX_OFFERS}`.execute(db);
  return rows;
}

/** Terms that have not ended, as JSON; cancellation refunds depend on them. */
const OPEN_TERMS = sql`coalesce((select json_agg(json_build_object('starts_at', t.starts_at, 'ends_at', t.ends_at,
    'amount_micros', t.amount_micros, 'refunded_micros', (select coalesce(sum(r.amount_micros), 0) from order_refunds r
      where r.order_id = t.order_id and r.number = t.number)) order by t.number)
  from order_terms t where t.order_id = o.id and t.ends_at > now()), '[]')`;
const CHARGED = sql`(select coalesce(sum(t.amount_micros), 0)::bigint from order_terms t where t.order_id = o.id)`;
const REFUNDED = sql`(select coalesce(sum(r.amount_micros), 0)::bigint from order_refunds r where r.order_id = o.id)`;

const FACTS = sql`select o.*, p.public_id as product_public_id, ${OPEN_TERMS} as open_terms, ${CHARGED} as charged_micros,
    ${REFUNDED} as refunded_micros,
    (select json_build_object('public_id', c.public_id, 'name', c.name, 'vm_uuid', c.vm_uuid, 'app_id', a.app_id)
      from cvms c join apps a on a.id = c.app_id where c.order_id = o.id) as cvm,
    case when o.state = 'pending' then (select row_to_json(y) from payments y where y.id = o.payment_id) end as payment
  from orders o join order_products p on p.id = o.product_id`;

/** Returns a team's orders, newest first, after `before` in that order. */
export async function listOrderRows(
  db: Db,
  team_id: number,
  { before = null, limit }: { before?: number | undefined | null; limit: number },
): Promise<(OrderRow & OrderFacts)[]> {
  const { rows } = await sql<OrderRow & OrderFacts>`${FACTS}
    where o.team_id = ${team_id} and (${before}::bigint is null or o.id < ${before})
    order by o.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findOrder(
  db: Db | Tx,
  team_id: number,
  public_id: string,
): Promise<(OrderRow & OrderFacts) | undefined> {
  const { rows } = await sql<OrderRow & OrderFacts>`${FACTS}
    where o.team_id = ${team_id} and o.public_id = ${public_id}`.execute(db);
  return rows[0];
}

export const adminOrders: AdminListSource<AdminOrderFields> = {
  fields: {
    id: 'integer',
    public_id: 'text',
    team_id: 'integer',
    product_id: 'integer',
    name: 'text',
    instance_type: 'text',
    covers: 'text',
    state: 'text',
    period: 'text',
    price: 'none',
    periods: 'integer',
    total: 'none',
    min_periods: 'none',
    refund_percent: 'none',
    starts_at: 'time',
    ends_at: 'time',
    pay_until: 'time',
    payment_id: 'integer',
    renews: 'boolean',
    charged: 'none',
    refunded: 'none',
    refund_by_rules: 'none',
    cvm_id: 'uuid',
    reason: 'none',
    created_by: 'integer',
    created_at: 'time',
    closed_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminOrder, AdminFieldKind>,
  searched: ['public_id', 'name'],
  select: sql<AdminOrderFields>`select o.*, ${OPEN_TERMS} as open_terms, ${CHARGED} as charged_micros,
      ${REFUNDED} as refunded_micros, (select c.vm_uuid from cvms c where c.order_id = o.id) as cvm_id
    from orders o`,
};

export const adminOrderProducts: AdminListSource<AdminProductFields> = {
  fields: {
    id: 'integer',
    public_id: 'text',
    name: 'text',
    description: 'text',
    instance_type: 'text',
    covers: 'text',
    period: 'text',
    price: 'none',
    min_periods: 'integer',
    max_periods: 'integer',
    refund_percent: 'integer',
    stock: 'integer',
    taken: 'integer',
    starts_at: 'time',
    ends_at: 'time',
    state: 'text',
    compared_rate: 'none',
    version: 'integer',
    rules: 'none',
    created_by: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminOrderProduct, AdminFieldKind>,
  searched: ['name', 'description', 'public_id'],
  select: sql<AdminProductFields>`select p.*, ${TAKEN} as taken from order_products p`,
};
