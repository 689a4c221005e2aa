import type { Handler } from '../../types';
import { readOf } from '../../core/admin/resource';
import { invoices } from '../../core/admin/resourcesBilling';

export const getAdminInvoice: Handler<'getAdminInvoice'> = readOf(invoices);
