import { invoiceOut, payerOut } from '../../../domain/billing/invoiceResponse';
import type { Handler } from '../../types';
import { teamInvoice } from './teamInvoice';

export const getInvoice: Handler<'getInvoice'> = async ({ path, ctx }) => {
  const row = await teamInvoice(ctx, path.invoice_id);
  return {
    status: 200,
    body: {
      invoice: invoiceOut(row),
      payer: payerOut(row.payer),
      seller: row.seller,
      seller_vat_id: row.seller_vat_id,
    },
  };
};
