import { sql } from 'kysely';
import type { AdminUsage } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import { openAiLines } from '../ai/aiTotals';
import type { Db } from '../core/client';
import { orderMovements } from './orders/orderTotals';

export interface AdminUsageRow {
  /** `vm_uuid`, or the public ID of an AI key or an order. */
  id: string;
  kind: AdminUsage['kind'];
  name: string;
  /** `vm_uuid`; null for an AI key or an order. */
  cvm_id: string | null;
  /** Its ID in its table. */
  row_id: number;
  user_id: number | null;
  team_id: number;
  app_id: string | null;
  created_at: Date;
  deleted_at: Date | null;
}

const month = sql`date_trunc('month', now(), 'UTC')`;

/**
 * CVMs that existed during the current month (UTC), AI keys used in it, and orders charged or refunded in it.
 * Their cost is computed for the page's rows only, so it can't be sorted.
 */
export const adminUsage: AdminListSource<AdminUsageRow> = {
  fields: {
    id: 'text',
    kind: 'text',
    name: 'text',
    cvm_id: 'uuid',
    user_id: 'integer',
    team_id: 'integer',
    app_id: 'text',
    running_hours: 'none',
    disk_hours: 'none',
    amount: 'none',
    created_at: 'time',
    deleted_at: 'time',
  } satisfies Record<keyof AdminUsage, AdminFieldKind>,
  searched: ['name'],
  select: sql<AdminUsageRow>`select c.vm_uuid::text as id, 'cvm' as kind, c.name, c.vm_uuid as cvm_id, c.id as row_id,
      c.created_by as user_id, c.team_id, a.app_id, c.created_at, c.deleted_at
    from cvms c join apps a on a.id = c.app_id where c.status <> 'deleted' or c.deleted_at > ${month}
    union all
    select k.public_id, 'ai_key', k.name, null, k.id, k.created_by, k.team_id, null, k.created_at, k.revoked_at
    from ai_keys k where k.last_used_at >= ${month}
    union all
    select o.public_id, 'order', o.name, null, o.id, o.created_by, o.team_id, null, o.created_at, o.closed_at
    from orders o where o.id in (${chargedOrders()})`,
};

function chargedOrders() {
  return sql`select m.order_id from (${orderMovements}) m join ledger_transactions l on l.id = m.transaction_id
      where l.effective_at >= ${month}`;
}

/** Returns the cost of AI keys since the month began, in micro-dollars, by key ID. */
export async function keysSpent(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; amount: number }>`
    with open as (${openAiLines(sql`r.team_id in (select team_id from ai_keys where id = any(${[...ids]}::bigint[]))`)})
    select k.id, ((select coalesce(sum(amount_micros), 0) from ai_usage_lines l where l.key_id = k.id and l.starts_at >= ${month})
      + (select coalesce(sum(amount_micros), 0) from open o where o.key_id = k.id and o.starts_at >= ${month}))::bigint as amount
    from ai_keys k where k.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}

/** Returns order charges since the month began, less refunds, by order ID. */
export async function ordersCharged(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; amount: number }>`
    select m.order_id as id, sum(m.amount_micros)::bigint as amount
    from (${orderMovements}) m join ledger_transactions l on l.id = m.transaction_id
    where m.order_id = any(${[...ids]}::bigint[]) and l.effective_at >= ${month} group by 1`.execute(db);
  return new Map(rows.map(({ id, amount }) => [id, amount]));
}
