import { formatMicros } from '../../../console/lib/billing/money';
import type {
  AdminInvoice,
  AdminInvoiceLine,
  Invoice,
  InvoiceLine,
  InvoicePayer,
  InvoiceState,
} from '../../../generated/api/types.gen';
import { iso } from '../core/references';
import { documentNumber, type InvoiceBasis, type InvoiceKind, type Payer } from './invoice';
import type { TaxRule } from './tax';

/*
 * Maps rows to API responses. Amounts are micro-dollars or cents inside, and decimal strings of dollars
 * outside.
 */

interface InvoiceFields {
  public_id: string;
  kind: InvoiceKind;
  state: InvoiceState;
  series: string | null;
  number: number | null;
  period_start: Date;
  subtotal_cents: number;
  tax_rule: TaxRule;
  tax_rate: number;
  tax_cents: number;
  total_cents: number;
  reason: string | null;
  issued_at: Date | null;
  due_at: Date | null;
  paid_at: Date | null;
  pdf_sha256: string | null;
}

const dollars = (cents: number) => formatMicros(cents * 10_000);

const shared = (row: InvoiceFields) => ({
  kind: row.kind,
  state: row.state,
  number: row.series !== null && row.number !== null ? documentNumber(row.series, row.number) : row.public_id,
  month: row.period_start.toISOString().slice(0, 7),
  subtotal: dollars(row.subtotal_cents),
  tax_rule: row.tax_rule,
  tax_percent: row.tax_rate / 100,
  tax: dollars(row.tax_cents),
  total: dollars(row.total_cents),
  reason: row.reason,
  due_at: iso(row.due_at),
  paid_at: iso(row.paid_at),
  pdf_sha256: row.pdf_sha256,
});

/** @param row.corrected public ID of the invoice that a credit note corrects */
export const invoiceOut = (
  row: InvoiceFields & { issued_at: Date; corrected: string | null; xml_sha256: string | null },
): Invoice => ({
  ...shared(row),
  xml_sha256: row.xml_sha256,
  id: row.public_id,
  corrects: row.corrected,
  issued_at: row.issued_at.toISOString(),
});

export const payerOut = ({ id, slug, name, legal_name, address, country, vat_id }: Payer): InvoicePayer => ({
  id,
  slug,
  name,
  legal_name: legal_name ?? null,
  address: address ?? null,
  country: country ?? null,
  vat_id: vat_id ?? null,
});

interface LineFields {
  vm_uuid: string | null;
  cvm_name: string | null;
  app_name: string | null;
  order_id: string | null;
  description: string | null;
  basis: InvoiceBasis;
  seconds: number;
  rate_micros: number | null;
  amount_micros: number;
  amount_cents: number;
}

export const invoiceLineOut = (line: LineFields): InvoiceLine => ({
  vm_uuid: line.vm_uuid,
  cvm_name: line.cvm_name,
  app_name: line.app_name,
  order_id: line.order_id,
  description: line.description,
  basis: line.basis,
  hours: line.seconds / 3600,
  hourly_rate: line.rate_micros === null ? null : formatMicros(line.rate_micros),
  exact_amount: formatMicros(line.amount_micros),
  amount: dollars(line.amount_cents),
});

export interface AdminInvoiceFields extends InvoiceFields {
  id: number;
  team_id: number;
  corrects: number | null;
  created_at: Date;
  updated_at: Date;
}

export const adminInvoiceOut = (row: AdminInvoiceFields): AdminInvoice => ({
  ...shared(row),
  id: row.id,
  public_id: row.public_id,
  team_id: row.team_id,
  corrects: row.corrects,
  created_at: row.created_at.toISOString(),
  issued_at: iso(row.issued_at),
  updated_at: row.updated_at.toISOString(),
});

export type AdminInvoiceLineFields = LineFields & { id: number };

export const adminInvoiceLineOut = (line: AdminInvoiceLineFields): AdminInvoiceLine => ({
  id: line.id,
  ...invoiceLineOut(line),
});
