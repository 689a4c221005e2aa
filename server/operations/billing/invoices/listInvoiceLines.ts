import { listLines } from '../../../db/billing/invoices';
import { invoiceLineOut } from '../../../domain/billing/invoiceResponse';
import { invalid } from '../../core/admin/change';
import type { Handler } from '../../types';
import { teamInvoice } from './teamInvoice';

export const listInvoiceLines: Handler<'listInvoiceLines'> = async ({ path, query, ctx }) => {
  const { limit = 100, cursor } = query;
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor))
    throw invalid('cursor', 'Use next_cursor from the previous page.');
  const { id } = await teamInvoice(ctx, path.invoice_id);
  const rows = await listLines(ctx.db, id, { after: Number(cursor ?? 0), limit: limit + 1 });
  const items = rows.slice(0, limit);
  return {
    status: 200,
    body: {
      items: items.map(invoiceLineOut),
      next_cursor: rows.length > limit ? String(items.at(-1)?.position) : null,
    },
  };
};
