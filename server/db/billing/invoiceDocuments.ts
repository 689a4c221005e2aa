import { createHash } from 'node:crypto';
import { invoiceDocument } from '../../domain/billing/document/invoiceDocument';
import { renderInvoice } from '../../domain/billing/document/pdf';
import { documentNumber } from '../../domain/billing/invoice';
import type { Db } from '../core/client';
import { linesOfInvoice } from './invoices';

/** Older invoices without a PDF get it at their first download. */
const RENDERED_DAYS = 30;

interface StoredDocument {
  content: Buffer;
  sha256: Buffer;
}

/**
 * Returns the PDF of an issued invoice, which is rendered at the first call, from what the database no longer lets
 * change, and stored. Takes some 50 ms then. @returns null for a draft
 */
export async function documentOf(db: Db, invoice_id: number): Promise<StoredDocument | null> {
  const stored = await storedDocument(db, invoice_id);
  if (stored) return stored;
  const content = await render(db, invoice_id);
  if (!content) return null;
  const sha256 = createHash('sha256').update(content).digest();
  await db
    .insertInto('invoice_documents')
    .values({ invoice_id, sha256, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // The one that was stored first counts, if two rendered it.
  return (await storedDocument(db, invoice_id)) ?? null;
}

/** Returns invoices issued lately that have no PDF, in the order of their IDs. */
export async function withoutDocument(
  db: Db,
  now: Date,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('invoices as i')
    .leftJoin('invoice_documents as d', 'd.invoice_id', 'i.id')
    .select('i.id')
    .where('i.issued_at', '>', new Date(now.getTime() - RENDERED_DAYS * 86_400_000))
    .where('d.invoice_id', 'is', null)
    .where('i.id', '>', after)
    .orderBy('i.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const storedDocument = (db: Db, invoice_id: number): Promise<StoredDocument | undefined> =>
  db
    .selectFrom('invoice_documents')
    .select(['content', 'sha256'])
    .where('invoice_id', '=', invoice_id)
    .executeTakeFirst();

async function render(db: Db, invoice_id: number): Promise<Buffer | null> {
  const invoice = await db
    .selectFrom('invoices as i')
    .leftJoin('invoices as c', 'c.id', 'i.corrects')
    .selectAll('i')
    .select(['c.series as corrected_series', 'c.number as corrected_number'])
    .where('i.id', '=', invoice_id)
    .executeTakeFirst();
  if (!invoice) return null;
  const { series, number, payer, issued_at, corrected_series, corrected_number } = invoice;
  if (series === null || number === null || payer === null || issued_at === null) return null;
  const corrects =
    corrected_series !== null && corrected_number !== null
      ? documentNumber(corrected_series, corrected_number)
      : null;
  const lines = await linesOfInvoice(db, invoice_id);
  return renderInvoice(
    invoiceDocument({
      ...invoice,
      series,
      number,
      payer,
      issued_at,
      corrects,
      lines,
    }),
  );
}
