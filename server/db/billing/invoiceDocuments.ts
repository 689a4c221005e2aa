import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { invoiceDocument } from '../../domain/billing/document/invoiceDocument';
import { renderPaper } from '../../domain/billing/document/pdf';
import { documentNumber } from '../../domain/billing/invoice';
import type { Db } from '../core/client';
import { linesOfInvoice } from './invoices';

/** Minutes until rendering an invoice is retried; doubles, up to a day. */
const FIRST_DELAY = 1;
const MAX_DELAY = 1_440;
/** Older invoices without a PDF get it at their first download. */
const RENDERED_DAYS = 30;

interface StoredDocument {
  content: Buffer;
  sha256: Buffer;
}

/**
 * Returns the PDF of an issued invoice. The first call renders it from immutable rows and stores it, which
 * takes about 50 ms. @returns null for a draft
 */
export async function ensureDocument(db: Db, invoice_id: number): Promise<StoredDocument | null> {
  const stored = await storedDocument(db, invoice_id);
  if (stored) return stored;
  await makeDocument(db, invoice_id);
  // If two rendered it, the one stored first counts.
  return (await storedDocument(db, invoice_id)) ?? null;
}

/** Renders an issued invoice and stores its PDF, unless one is stored already. */
async function makeDocument(db: Db, invoice_id: number): Promise<void> {
  const content = await render(db, invoice_id);
  if (!content) return;
  const sha256 = createHash('sha256').update(content).digest();
  await db
    .insertInto('invoice_documents')
    .values({ invoice_id, sha256, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Renders an invoice that has no PDF. A failure is retried with growing delays. */
export async function renderLater(
  db: Db,
  invoice_id: number,
  now: Date,
  make: (db: Db, invoice_id: number) => Promise<unknown> = makeDocument,
): Promise<void> {
  try {
    await make(db, invoice_id);
  } catch (error) {
    await sql`insert into invoice_render_failures as f (invoice_id, tries, due_at)
      values (${invoice_id}, 1, ${now}::timestamptz + make_interval(mins => ${FIRST_DELAY}))
      on conflict (invoice_id) do update set tries = f.tries + 1,
        due_at = ${now}::timestamptz + make_interval(mins => least(${MAX_DELAY}, ${FIRST_DELAY} * 2 ^ least(f.tries, 20))::int)`.execute(
      db,
    );
    throw error;
  }
}

/** Returns recently issued invoices without a PDF that are due to be rendered, ordered by ID. */
export async function withoutDocument(
  db: Db,
  now: Date,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('invoices as i')
    .leftJoin('invoice_documents as d', 'd.invoice_id', 'i.id')
    .leftJoin('invoice_render_failures as f', 'f.invoice_id', 'i.id')
    .select('i.id')
    .where((eb) => eb.or([eb('f.due_at', 'is', null), eb('f.due_at', '<=', now)]))
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
  return renderPaper(
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
