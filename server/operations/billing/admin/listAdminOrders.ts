import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { orders } from '../../core/admin/resourcesBilling';

export const listAdminOrders: Handler<'listAdminOrders'> = listOf(orders);
