import { readOf } from '../../core/admin/resource';
import type { Handler } from '../../types';
import { financeActions } from './resource';

export const getAdminFinanceAction: Handler<'getAdminFinanceAction'> = readOf(financeActions);
