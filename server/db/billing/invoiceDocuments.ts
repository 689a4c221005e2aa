import { createHash } from 'node:crypto';
import { invoiceDocument } from '../../domain/billing/document/invoiceDocument';
import { renderInvoice } from '../../domain/billing/document/pdf';
import { documentNumber } from '../../domain/billing/invoice';
import type { Db, Tx } from '../core/client';
import { linesOfInvoice } from './invoices';
import type { InvoiceRow } from './invoicesTables';

/**
 * Renders and stores the PDF of an invoice that this transaction issues: there is none without it, and it is never
 * rendered again. Takes some 50 ms.
 *
 * @param corrected the invoice that a credit note corrects
 */
export async function storeDocument(
  trx: Tx,
  issued: InvoiceRow,
  corrected: InvoiceRow | null,
): Promise<void> {
  const { series, number, payer, issued_at } = issued;
  if (series === null || number === null || payer === null || issued_at === null)
    throw new Error(`invoice ${issued.public_id} is not issued`);
  const corrects =
    corrected?.series != null && corrected.number !== null
      ? documentNumber(corrected.series, corrected.number)
      : null;
  const lines = await linesOfInvoice(trx, issued.id);
  const content = await renderInvoice(
    invoiceDocument({ ...issued, series, number, payer, issued_at, corrects, lines }),
  );
  const sha256 = createHash('sha256').update(content).digest();
  await trx.insertInto('invoice_documents').values({ invoice_id: issued.id, sha256, content }).execute();
}

/** Returns the stored PDF. */
export const documentOf = (db: Db, invoice_id: number) =>
  db
    .selectFrom('invoice_documents')
    .select(['content', 'sha256'])
    .where('invoice_id', '=', invoice_id)
    .executeTakeFirst();
