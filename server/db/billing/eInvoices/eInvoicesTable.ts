import type { ColumnType } from 'kysely';

type Once<T> = ColumnType<T, T, never>;

/** The XML of an issued invoice, written with it and never changed (migration 0165_e_invoices). */
export interface EInvoicesTable {
  invoice_id: Once<number>;
  sha256: Once<Buffer>;
  content: Once<string>;
  created_at: ColumnType<Date, never, never>;
}
