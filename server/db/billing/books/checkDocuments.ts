import { sql } from 'kysely';
import { documentNumber } from '../../../domain/billing/invoice';
import type { Db } from '../../core/client';

/** Checks issued invoices and credit notes against their files. */
interface DocumentsReport {
  issued: number;
  pdfs: number;
  e_invoices: number;
  /** Numbers of issued documents whose PDF is missing. */
  missing: string[];
  /** Numbers of documents whose PDF or electronic invoice differs from its hash. */
  changed: string[];
  /** Series whose numbers have gaps. */
  gaps: string[];
  /** Documents not rendered yet. */
  unrendered: number;
}

/** Workers render a PDF within minutes. */
const RENDERED_HOURS = 24;
const MAX_FINDINGS = 100;

interface Numbered {
  series: string;
  number: number;
}

const nameOf = ({ series, number }: Numbered) => documentNumber(series, number);

/**
 * Reads the file of every issued document and hashes it again. @param at documents issued a day before this
 * must have a PDF
 */
export async function checkDocuments(db: Db, at: Date): Promise<DocumentsReport> {
  const { rows } = await sql<Pick<DocumentsReport, 'issued' | 'pdfs' | 'e_invoices' | 'unrendered'>>`
    select (select count(*) from invoices where issued_at is not null) as issued,
      (select count(*) from invoice_documents) as pdfs,
      (select count(*) from e_invoices) as e_invoices,
      (select count(*) from invoice_render_failures f
        where not exists (select from invoice_documents d where d.invoice_id = f.invoice_id)) as unrendered`.execute(
    db,
  );
  const missing = await sql<Numbered>`
    select i.series, i.number from invoices i
    where i.issued_at < ${at}::timestamptz - make_interval(hours => ${RENDERED_HOURS})
      and not exists (select from invoice_documents d where d.invoice_id = i.id)
      and not exists (select from invoice_render_failures f where f.invoice_id = i.id)
    order by i.id limit ${MAX_FINDINGS}`.execute(db);
  const changed = await sql<Numbered>`
    select i.series, i.number from invoices i
    where exists (select from invoice_documents d where d.invoice_id = i.id and d.sha256 <> sha256(d.content))
      or exists (select from e_invoices e where e.invoice_id = i.id
        and e.sha256 <> sha256(convert_to(e.content, 'UTF8')))
    order by i.id limit ${MAX_FINDINGS}`.execute(db);
  const gaps = await sql<{ series: string }>`
    select s.series from invoice_series s left join invoices i on i.series = s.series
    group by s.series having count(i.number) <> s.last_number or max(i.number) <> s.last_number
    order by s.series limit ${MAX_FINDINGS}`.execute(db);
  const [totals] = rows;
  return {
    issued: totals?.issued ?? 0,
    pdfs: totals?.pdfs ?? 0,
    e_invoices: totals?.e_invoices ?? 0,
    unrendered: totals?.unrendered ?? 0,
    missing: missing.rows.map(nameOf),
    changed: changed.rows.map(nameOf),
    gaps: gaps.rows.map(({ series }) => series),
  };
}
