import { adminOrders } from '../../../db/billing/orders/orderLists';
import { adminOne } from '../../../db/core/adminList';
import type { Tx } from '../../../db/core/client';
import { adminOrderOut } from '../../../domain/billing/orders/orderResponse';
import { etagOf } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { orders } from '../../core/admin/resourcesBilling';

/** The response of a change to an order. */
export async function adminOrderReply(trx: Tx, id: number) {
  const row = await adminOne(trx, adminOrders, id);
  if (!row) throw missing(orders, id);
  return {
    status: 200,
    headers: { ETag: etagOf(orders.name, row.id, row.updated_at) },
    body: adminOrderOut(row),
  } as const;
}
