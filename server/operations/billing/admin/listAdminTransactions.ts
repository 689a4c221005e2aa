import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { transactions } from '../../core/admin/resourcesBilling';

export const listAdminTransactions: Handler<'listAdminTransactions'> = listOf(transactions);
