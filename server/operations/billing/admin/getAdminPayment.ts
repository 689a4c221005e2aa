import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';

export const getAdminPayment: Handler<'getAdminPayment'> = readOf(payments);
