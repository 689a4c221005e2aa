import { writeOffInvoice } from '../../../db/billing/issueInvoice';
import type { Handler } from '../../types';
import { changeInvoice } from './invoiceChange';

export const writeOffAdminInvoice: Handler<'writeOffAdminInvoice'> = async ({ path, body, ctx }) => {
  return changeInvoice(ctx, path.id, {
    status: 200,
    action: 'invoice.uncollectible',
    states: ['open', 'overdue'],
    reason: body.reason,
    act: (trx, invoice) => writeOffInvoice(trx, invoice, new Date()),
  });
};
