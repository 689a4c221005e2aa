import { invoiceActions } from '../../../../console/lib/billing/allowedActions';
import { writeOffInvoice } from '../../../db/billing/issueInvoice';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { approvedFirst, changeInvoice } from './invoiceChange';

export const writeOffAdminInvoice: Handler<'writeOffAdminInvoice'> = async ({ path, body, ctx }) => {
  checkText(body.reason, 'reason');
  return changeInvoice(ctx, path.id, {
    status: 200,
    action: 'invoice.uncollectible',
    states: invoiceActions.write_off,
    reason: body.reason,
    first: approvedFirst(
      ctx,
      { action: 'write_off_invoice', path, body, reason: body.reason },
      (_trx, { total_cents }) => total_cents,
    ),
    act: (trx, invoice) => writeOffInvoice(trx, invoice, new Date()),
  });
};
