import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { orderProducts } from '../../core/admin/resourcesBilling';

export const getAdminOrderProduct: Handler<'getAdminOrderProduct'> = readOf(orderProducts);
