import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';

export const listAdminPayments: Handler<'listAdminPayments'> = listOf(payments);
