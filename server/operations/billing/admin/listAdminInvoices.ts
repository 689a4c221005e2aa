import type { Handler } from '../../types';
import { listOf } from '../../core/admin/resource';
import { invoices } from '../../core/admin/resourcesBilling';

export const listAdminInvoices: Handler<'listAdminInvoices'> = listOf(invoices);
