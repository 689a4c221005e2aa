import { creditableCents, creditInvoice } from '../../../db/billing/issueInvoice';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/admin/change';
import { checkText } from '../../core/text';
import type { Handler } from '../../types';
import { centsOf } from '../amount';
import { approvedFirst, changeInvoice } from './invoiceChange';

export const createAdminCreditNote: Handler<'createAdminCreditNote'> = async ({ path, body, ctx }) => {
  checkText(body.reason, 'reason');
  const { amount, reason } = body;
  const given = amount === undefined || amount === null ? null : centsOf(amount, 'amount') / 10_000;
  return changeInvoice(ctx, path.id, {
    status: 201,
    action: 'invoice.credit',
    states: ['open', 'paid', 'overdue', 'uncollectible'],
    reason,
    first: approvedFirst(
      ctx,
      { action: 'credit_invoice', path, body: { ...body }, reason },
      (trx, invoice) => given ?? creditableCents(trx, invoice),
    ),
    act: async (trx, invoice) => {
      const left = await creditableCents(trx, invoice);
      if (left <= 0) throw new Problem('INVOICE_STATE', { message: 'The invoice is credited already.' });
      if (given !== null && given > left)
        throw invalid('amount', 'The amount is more than what is left of the invoice.');
      return creditInvoice(trx, invoice, { cents: given ?? left, reason }, new Date());
    },
  });
};
