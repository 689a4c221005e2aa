import { issuedInvoice } from '../../../db/billing/invoices';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import type { Context } from '../../types';

/** Returns an issued invoice of the caller's team. @throws NOT_FOUND also for drafts and other teams' invoices */
export async function teamInvoice(ctx: Context, invoice_id: string) {
  const row = await issuedInvoice(ctx.db, teamOf(ctx).id, invoice_id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no invoice ${invoice_id}.` });
  return row;
}
