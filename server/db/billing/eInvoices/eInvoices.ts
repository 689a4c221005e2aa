import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { eInvoice, type EInvoiceFacts, type Missing } from '../../../domain/billing/document/eInvoice';
import { documentNumber } from '../../../domain/billing/invoice';
import type { Db, Tx } from '../../core/client';
import { linesOfInvoice } from '../invoices';
import type { EInvoicesTable } from './eInvoicesTable';

/**
 * Stores the electronic invoice of a document that is issued in this transaction, after its state is final.
 * Stores nothing if the document lacks what the standard requires.
 */
export async function storeEInvoice(trx: Tx, invoice_id: number): Promise<void> {
  const facts = await factsOf(trx, invoice_id);
  const made = facts && eInvoice(facts);
  if (!made || !('xml' in made)) return;
  const sha256 = createHash('sha256').update(made.xml).digest();
  await trx.insertInto('e_invoices').values({ invoice_id, sha256, content: made.xml }).execute();
}

export const storedEInvoice = (
  db: Db,
  invoice_id: number,
): Promise<Pick<Selectable<EInvoicesTable>, 'content' | 'sha256'> | undefined> =>
  db
    .selectFrom('e_invoices')
    .select(['content', 'sha256'])
    .where('invoice_id', '=', invoice_id)
    .executeTakeFirst();

/** Returns why an issued document has no electronic invoice. */
export async function whyNone(db: Db, invoice_id: number): Promise<Missing> {
  const facts = await factsOf(db, invoice_id);
  const made = facts && eInvoice(facts);
  return made && 'missing' in made ? made : { missing: 'It was issued before this server supported them.' };
}

async function factsOf(db: Db | Tx, invoice_id: number): Promise<EInvoiceFacts | null> {
  const invoice = await db
    .selectFrom('invoices as i')
    .leftJoin('invoices as c', 'c.id', 'i.corrects')
    .selectAll('i')
    .select(['c.series as corrected_series', 'c.number as corrected_number', 'c.issued_at as corrected_at'])
    .where('i.id', '=', invoice_id)
    .executeTakeFirst();
  if (!invoice) return null;
  const { series, number, payer, issued_at, corrected_series, corrected_number, corrected_at } = invoice;
  if (series === null || number === null || payer === null || issued_at === null) return null;
  const corrects =
    corrected_series !== null && corrected_number !== null && corrected_at !== null
      ? { number: documentNumber(corrected_series, corrected_number), issued_at: corrected_at }
      : null;
  const lines = await linesOfInvoice(db, invoice_id);
  return { ...invoice, series, number, payer, issued_at, is_paid: invoice.state === 'paid', corrects, lines };
}
