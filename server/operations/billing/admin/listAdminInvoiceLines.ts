import { adminInvoiceLinesOf, adminInvoices } from '../../../db/billing/adminBilling';
import { adminOne } from '../../../db/core/adminList';
import type { Handler } from '../../types';
import { listOf, missing } from '../../core/admin/resource';
import { invoiceLines, invoices } from '../../core/admin/resourcesBilling';

export const listAdminInvoiceLines: Handler<'listAdminInvoiceLines'> = async (call) => {
  const { id } = call.path;
  if (!(await adminOne(call.ctx.db, adminInvoices, id))) throw missing(invoices, id);
  return listOf({ ...invoiceLines, sourceFor: () => adminInvoiceLinesOf(id) })(call);
};
