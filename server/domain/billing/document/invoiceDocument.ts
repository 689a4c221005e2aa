import { formatUsd } from '../../../../console/lib/billing/money';
import { documentNumber, type InvoiceBasis, type InvoiceKind, type Payer } from '../invoice';
import type { TaxRule } from '../tax';

/** What the PDF of an invoice says, before it is laid out. */

interface Row {
  app_name: string | null;
  cvm_name: string | null;
  /** Of an order or an AI model. */
  description: string | null;
  basis: InvoiceBasis;
  seconds: number;
  rate_micros: number | null;
  amount_cents: number;
}

interface InvoiceFacts {
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
  /** Number of the invoice that a credit note corrects. */
  corrects: string | null;
  reason: string | null;
  lines: readonly Row[];
}

export interface InvoiceDocument {
  title: string;
  issued_at: Date;
  seller: string[];
  payer: string[];
  facts: [name: string, value: string][];
  columns: string[];
  rows: string[][];
  totals: [name: string, value: string][];
  notes: string[];
}

/** A page holds some thirty rows. The others of an invoice this large are one row; the API has them all. */
export const MAX_ROWS = 2000;

const BASIS = {
  size: 'vCPUs and memory',
  disk: 'Disk while stopped',
  gpu: 'GPUs',
  order: 'Order',
  ai: 'Confidential AI',
} as const;
const DAY_MS = 86_400_000;

const dollars = (cents: number) => formatUsd(cents * 10_000);
const day = (at: Date) => at.toISOString().slice(0, 10);
const percent = (rate: number) => `${rate / 100} %`;

function rowOf({
  app_name,
  cvm_name,
  description,
  basis,
  seconds,
  rate_micros,
  amount_cents,
}: Row): string[] {
  if (basis === 'order')
    return [
      description ?? '',
      amount_cents < 0 ? 'Refund of an order' : BASIS[basis],
      seconds === 0 ? '' : (seconds / 3600).toFixed(4),
      '',
      dollars(amount_cents),
    ];
  if (basis === 'ai') return [description ?? '', BASIS[basis], '', '', dollars(amount_cents)];
  return [
    `${app_name ?? ''} / ${cvm_name ?? ''}`,
    BASIS[basis],
    (seconds / 3600).toFixed(4),
    rate_micros === null ? 'varies' : formatUsd(rate_micros),
    dollars(amount_cents),
  ];
}

export function invoiceDocument(facts: InvoiceFacts): InvoiceDocument {
  const { kind, payer, lines } = facts;
  const number = documentNumber(facts.series, facts.number);
  const isNote = kind === 'credit_note';
  const shown = lines.filter(({ amount_cents }) => !isNote || amount_cents !== 0);
  const rest = shown.slice(MAX_ROWS);
  return {
    title: `${isNote ? 'Credit note' : 'Invoice'} ${number}`,
    issued_at: facts.issued_at,
    seller: [
      ...(facts.seller?.split('\n') ?? []),
      ...(facts.seller_vat_id === null ? [] : [`VAT ${facts.seller_vat_id}`]),
    ],
    payer: [
      payer.legal_name ?? payer.name,
      ...(payer.address?.split('\n') ?? []),
      ...(payer.country === null || payer.country === undefined ? [] : [payer.country]),
      ...(payer.vat_id === null || payer.vat_id === undefined ? [] : [`VAT ${payer.vat_id}`]),
    ],
    facts: [
      ['Number', number],
      ['Issued on', day(facts.issued_at)],
      ...(facts.due_at === null ? [] : [['Due on', day(facts.due_at)] as [string, string]]),
      [
        'Service period',
        `${day(facts.period_start)} to ${day(new Date(facts.period_end.getTime() - DAY_MS))} (UTC)`,
      ],
      ['Team', `${payer.name} (${payer.slug})`],
      ...(facts.corrects === null ? [] : [['Corrects invoice', facts.corrects] as [string, string]]),
      ...(facts.reason === null ? [] : [['Reason', facts.reason] as [string, string]]),
    ],
    columns: ['App / CVM', 'Service', 'Hours', 'Per hour', 'Amount'],
    rows: [
      ...shown.slice(0, MAX_ROWS).map(rowOf),
      ...(rest.length === 0
        ? []
        : [
            [
              `${rest.length} more lines`,
              'Listed in the console',
              (rest.reduce((sum, { seconds }) => sum + seconds, 0) / 3600).toFixed(4),
              '',
              dollars(rest.reduce((sum, { amount_cents }) => sum + amount_cents, 0)),
            ],
          ]),
    ],
    totals: [
      ['Subtotal', dollars(facts.subtotal_cents)],
      [facts.tax_rule === 'fixed' ? `Tax ${percent(facts.tax_rate)}` : 'Tax', dollars(facts.tax_cents)],
      ['Total (USD)', dollars(facts.total_cents)],
    ],
    notes:
      facts.tax_rule === 'reverse_charge'
        ? ['Reverse charge: the recipient is liable for VAT (Article 196 of Directive 2006/112/EC).']
        : [],
  };
}
