import { invoiceActions } from '../../../../console/lib/billing/allowedActions';
import type { InvoiceRow } from '../../../db/billing/invoicesTables';
import { creditableOf, creditInvoice } from '../../../db/billing/issueInvoice';
import type { Tx } from '../../../db/core/client';
import { creditTax } from '../../../domain/billing/invoice';
import { Problem } from '../../../domain/core/problem';
import { invalid } from '../../core/invalid';
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
    states: invoiceActions.credit,
    reason,
    first: approvedFirst(
      ctx,
      { action: 'credit_invoice', path, body: { ...body }, reason },
      async (trx, invoice) => {
        const { cents, tax_cents } = await credited(trx, invoice, given);
        return cents + tax_cents;
      },
    ),
    act: async (trx, invoice) => {
      const { cents } = await credited(trx, invoice, given);
      return creditInvoice(trx, invoice, { cents, reason }, new Date());
    },
  });
};

/**
 * Returns the credited amount of a locked invoice, and of its tax, in cents.
 * @param given before tax; null for the full remainder
 */
async function credited(
  trx: Tx,
  invoice: InvoiceRow,
  given: number | null,
): Promise<{ cents: number; tax_cents: number }> {
  const left = await creditableOf(trx, invoice);
  if (left.cents <= 0) throw new Problem('INVOICE_STATE', { message: 'The invoice is already credited.' });
  if (given !== null && given > left.cents)
    throw invalid('amount', 'The amount exceeds what is left of the invoice.');
  const cents = given ?? left.cents;
  const tax = { rate: invoice.tax_rate, remaining: left.tax_cents };
  return { cents, tax_cents: creditTax(cents, left.cents, tax) };
}
