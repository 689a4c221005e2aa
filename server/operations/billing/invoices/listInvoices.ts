import { issuedInvoices } from '../../../db/billing/invoices';
import { invoiceOut } from '../../../domain/billing/invoiceResponse';
import { invalid } from '../../core/admin/change';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';

export const listInvoices: Handler<'listInvoices'> = async ({ query, ctx }) => {
  const { limit = 50, cursor } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
    throw invalid('cursor', 'Use next_cursor from the previous page.');
  const rows = await issuedInvoices(ctx.db, teamOf(ctx).id, {
    before: cursor === undefined ? undefined : Number(cursor),
    limit: limit + 1,
  });
  const items = rows.slice(0, limit);
  return {
    status: 200,
    body: {
      items: items.map(invoiceOut),
      next_cursor: rows.length > limit ? String(items.at(-1)?.id) : null,
    },
  };
};
