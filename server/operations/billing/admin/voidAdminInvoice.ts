import { invoiceActions } from '../../../../console/lib/billing/allowedActions';
import { creditableOf, draftTax, voidInvoice } from '../../../db/billing/issueInvoice';
import { Problem } from '../../../domain/core/problem';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { approvedFirst, changeInvoice } from './invoiceChange';

export const voidAdminInvoice: Handler<'voidAdminInvoice'> = async ({ path, body, ctx }) => {
  checkText(body.reason, 'reason');
  return changeInvoice(ctx, path.id, {
    status: 200,
    action: 'invoice.void',
    states: invoiceActions.void,
    reason: body.reason,
    // Nobody owes a draft yet, but voiding it forgives the tax due at issue, and its month gets no other invoice.
    first: approvedFirst(
      ctx,
      { action: 'void_invoice', path, body, reason: body.reason },
      async (trx, invoice) =>
        invoice.state === 'draft'
          ? (await draftTax(trx, invoice, ctx.config.invoicing)).tax_cents
          : invoice.total_cents,
    ),
    act: async (trx, invoice) => {
      if ((await creditableOf(trx, invoice)).cents !== invoice.subtotal_cents)
        throw new Problem('INVOICE_STATE', {
          message: 'The invoice has a credit note. Credit the rest of it instead.',
        });
      return voidInvoice(trx, invoice, new Date());
    },
  });
};
