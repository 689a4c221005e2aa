import { invoiceOut } from '../../../domain/billing/invoiceResponse';
import type { Handler } from '../../types';
import { invoiceFile } from './invoiceFile';
import { teamInvoice } from './teamInvoice';

export const downloadInvoice: Handler<'downloadInvoice'> = async ({ path, ctx }) => {
  const row = await teamInvoice(ctx, path.invoice_id);
  return invoiceFile(ctx, { id: row.id, number: invoiceOut(row).number });
};
