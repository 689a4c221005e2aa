import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { orderProducts } from '../../core/admin/resourcesBilling';

export const listAdminOrderProducts: Handler<'listAdminOrderProducts'> = listOf(orderProducts);
