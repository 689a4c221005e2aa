import { setInvoice } from '../../../db/billing/invoices';
import type { Handler } from '../../types';
import { changeInvoice } from './invoiceChange';

export const writeOffAdminInvoice: Handler<'writeOffAdminInvoice'> = async ({ path, body, ctx }) => {
  return changeInvoice(ctx, path.id, {
    status: 200,
    action: 'invoice.uncollectible',
    states: ['open'],
    reason: body.reason,
    act: (trx, { id }) => setInvoice(trx, id, { state: 'uncollectible', closed_at: new Date() }),
  });
};
