import { listLines } from '../../../db/billing/invoices';
import { invoiceLineOut } from '../../../domain/billing/invoiceResponse';
import type { Handler } from '../../types';
import { pageOf, readIdCursor } from '../idPage';
import { teamInvoice } from './teamInvoice';

export const listInvoiceLines: Handler<'listInvoiceLines'> = async ({ path, query, ctx }) => {
  const { limit = 100, cursor } = query;
  const after = readIdCursor(cursor) ?? 0;
  const { id } = await teamInvoice(ctx, path.invoice_id);
  const rows = await listLines(ctx.db, id, { after, limit: limit + 1 });
  return {
    status: 200,
    body: pageOf(rows, limit, { to: invoiceLineOut, cursor: ({ position }) => position }),
  };
};
