import { adminInvoices } from '../../../db/billing/adminBilling';
import { adminOne } from '../../../db/core/adminList';
import { adminInvoiceOut } from '../../../domain/billing/invoiceResponse';
import { missing } from '../../core/admin/resource';
import { invoices } from '../../core/admin/resourcesBilling';
import type { Handler } from '../../types';
import { invoiceFile } from '../invoices/invoiceFile';

export const downloadAdminInvoice: Handler<'downloadAdminInvoice'> = async ({ path, ctx }) => {
  const row = await adminOne(ctx.db, adminInvoices, path.id);
  if (!row) throw missing(invoices, path.id);
  return invoiceFile(ctx, { id: row.id, number: adminInvoiceOut(row).number });
};
