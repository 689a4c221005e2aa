import { storedEInvoice, whyNone } from '../../../db/billing/eInvoices/eInvoices';
import { invoiceOut } from '../../../domain/billing/invoiceResponse';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { fileReply } from './fileReply';
import { teamInvoice } from './teamInvoice';

const XML = { extension: 'xml', type: 'application/xml; charset=utf-8' };

export const downloadEInvoice: Handler<'downloadEInvoice'> = async ({ path, ctx }) => {
  const row = await teamInvoice(ctx, path.invoice_id);
  const { number } = invoiceOut(row);
  const file = await storedEInvoice(ctx.db, row.id);
  if (!file) {
    const { missing, advice } = await whyNone(ctx.db, row.id);
    throw new Problem('NOT_FOUND', {
      message: `The invoice ${number} has no electronic invoice. ${missing}`,
      ...(advice !== undefined && { suggestions: [advice] }),
    });
  }
  return fileReply(
    number ?? row.public_id,
    Buffer.from(file.content),
    `"${file.sha256.toString('hex')}"`,
    XML,
  );
};
