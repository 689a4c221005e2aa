import { issuedInvoices } from '../../../db/billing/invoices';
import { invoiceOut } from '../../../domain/billing/invoiceResponse';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { pageOf, readIdCursor } from '../idPage';

export const listInvoices: Handler<'listInvoices'> = async ({ query, ctx }) => {
  const { limit = 50, cursor } = query;
  const before = readIdCursor(cursor);
  const rows = await issuedInvoices(ctx.db, teamOf(ctx).id, { before, limit: limit + 1 });
  return { status: 200, body: pageOf(rows, limit, { to: invoiceOut, cursor: ({ id }) => id }) };
};
