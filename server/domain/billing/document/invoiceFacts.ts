import type { InvoiceKind, Payer } from '../invoice';
import type { TaxRule } from '../tax';

/** The fields of an issued invoice or credit note that its PDF and its electronic invoice both state. */
export interface InvoiceFacts {
  kind: InvoiceKind;
  series: string;
  number: number;
  period_start: Date;
  period_end: Date;
  issued_at: Date;
  due_at: Date | null;
  payer: Payer;
  seller: string | null;
  seller_vat_id: string | null;
  subtotal_cents: number;
  tax_rule: TaxRule;
  /** In 1/10000. */
  tax_rate: number;
  tax_cents: number;
  total_cents: number;
  reason: string | null;
}
