import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { transactions } from '../../core/admin/resourcesBilling';

export const getAdminTransaction: Handler<'getAdminTransaction'> = readOf(transactions);
