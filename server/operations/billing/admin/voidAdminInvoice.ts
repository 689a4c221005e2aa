import { creditableCents, voidInvoice } from '../../../db/billing/issueInvoice';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { changeInvoice } from './invoiceChange';

export const voidAdminInvoice: Handler<'voidAdminInvoice'> = async ({ path, body, ctx }) => {
  return changeInvoice(ctx, path.id, {
    status: 200,
    action: 'invoice.void',
    states: ['draft', 'open', 'overdue'],
    reason: body.reason,
    act: async (trx, invoice) => {
      if ((await creditableCents(trx, invoice)) !== invoice.subtotal_cents)
        throw new Problem('INVOICE_STATE', {
          message: 'The invoice has a credit note. Credit the rest of it instead.',
        });
      return voidInvoice(trx, invoice, new Date());
    },
  });
};
