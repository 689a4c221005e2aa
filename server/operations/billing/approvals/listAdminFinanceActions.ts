import { listOf } from '../../core/admin/resource';
import type { Handler } from '../../types';
import { financeActions } from './resource';

export const listAdminFinanceActions: Handler<'listAdminFinanceActions'> = listOf(financeActions);
