import { storedEInvoice, whyNone } from '../../../db/billing/eInvoices/eInvoices';
import { invoiceOut } from '../../../domain/billing/invoiceResponse';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { teamInvoice } from './teamInvoice';

export const downloadEInvoice: Handler<'downloadEInvoice'> = async ({ path, ctx }) => {
  const row = await teamInvoice(ctx, path.invoice_id);
  const { number } = invoiceOut(row);
  const file = await storedEInvoice(ctx.db, row.id);
  if (!file)
    throw new Problem('NOT_FOUND', {
      message: `The invoice ${number} has no electronic invoice. ${await whyNone(ctx.db, row.id)}`,
      suggestions: ['Set country and VAT number in the billing details; they apply to later invoices.'],
    });
  return {
    status: 200,
    content_type: 'application/xml; charset=utf-8',
    headers: {
      'Content-Disposition': `attachment; filename="${number}.xml"`,
      ETag: `"${file.sha256.toString('hex')}"`,
    },
    stream: once(file.content),
  };
};

async function* once(content: string): AsyncGenerator<string> {
  yield content;
}
