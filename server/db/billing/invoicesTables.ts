import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { InvoiceState } from '../../../generated/api/types.gen';
import type { InvoiceBasis, InvoiceKind, Payer } from '../../domain/billing/invoice';
import type { TaxRule } from '../../domain/billing/tax';

type Once<T> = ColumnType<T, T, never>;

/** The last number of each series. */
export interface InvoiceSeriesTable {
  series: string;
  last_number: number;
}

/** One row per invoice or credit note. Once issued, triggers let only its state change (migration 0044_invoices). */
export interface InvoicesTable {
  id: GeneratedAlways<number>;
  public_id: Once<string>;
  team_id: Once<number>;
  kind: Once<InvoiceKind>;
  state: Generated<InvoiceState>;
  period_start: Once<Date>;
  /** Half-open. */
  period_end: Once<Date>;
  series: Generated<string | null>;
  number: Generated<number | null>;
  payer: ColumnType<Payer | null, string | null | undefined, string | null>;
  seller: Generated<string | null>;
  seller_vat_id: Generated<string | null>;
  subtotal_micros: number;
  subtotal_cents: number;
  tax_rule: Generated<TaxRule>;
  /** In 1/10000. */
  tax_rate: Generated<number>;
  tax_cents: Generated<number>;
  total_cents: number;
  corrects: ColumnType<number | null, number | null | undefined, never>;
  reason: ColumnType<string | null, string | null | undefined, never>;
  created_at: Generated<Date>;
  issued_at: Generated<Date | null>;
  due_at: Generated<Date | null>;
  paid_at: Generated<Date | null>;
  closed_at: Generated<Date | null>;
  updated_at: Generated<Date>;
}

export type InvoiceRow = Selectable<InvoicesTable>;

/** Lines of invoices, frozen with the draft. Names are those of that time. */
export interface InvoiceLinesTable {
  invoice_id: Once<number>;
  position: Once<number>;
  /** Null on lines of orders and AI models, like the names; they have a description instead. */
  cvm_id: Once<number | null>;
  vm_uuid: Once<string | null>;
  cvm_name: Once<string | null>;
  app_name: Once<string | null>;
  /** Public ID. */
  order_id: Once<string | null>;
  description: Once<string | null>;
  basis: Once<InvoiceBasis>;
  seconds: Once<number>;
  rate_micros: Once<number | null>;
  amount_micros: Once<number>;
  amount_cents: Once<number>;
}

export type InvoiceLineRow = Selectable<InvoiceLinesTable>;

/** The PDF of an invoice, written with it and never changed (migration 0045_invoice_documents). */
export interface InvoiceDocumentsTable {
  invoice_id: Once<number>;
  sha256: Once<Buffer>;
  content: Once<Buffer>;
  created_at: ColumnType<Date, never, never>;
}

/** Payer details for a team's invoices. */
export interface BillingDetailsTable {
  team_id: number;
  legal_name: string | null;
  address: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** Normalized. */
  vat_id: string | null;
  updated_at: Generated<Date>;
}

/** One row per invoice whose PDF could not be rendered (migration 0075_reversed_receipts). */
export interface InvoiceRenderFailuresTable {
  invoice_id: number;
  tries: number;
  due_at: Date;
}
