import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { orders } from '../../core/admin/resourcesBilling';

export const getAdminOrder: Handler<'getAdminOrder'> = readOf(orders);
