import { invoiceBasisTexts } from '../../../../console/lib/billing/basisTexts';
import { formatUsd } from '../../../../console/lib/billing/money';
import { shortUtcDay } from '../../core/dates';
import { documentNumber, type InvoiceBasis, type Payer } from '../invoice';
import type { InvoiceFacts } from './invoiceFacts';
import { MAX_ROWS, type Paper } from './paper';
import { counted } from '../../../../console/lib/texts/count';

/** The content of an invoice PDF, before layout. */

interface Row {
  app_name: string | null;
  cvm_name: string | null;
  /** For an order or an AI model. */
  description: string | null;
  basis: InvoiceBasis;
  seconds: number;
  rate_micros: number | null;
  amount_cents: number;
}

interface PdfFacts extends InvoiceFacts {
  /** Number of the invoice that a credit note corrects. */
  corrects: string | null;
  lines: readonly Row[];
}

const DAY_MS = 86_400_000;

const dollars = (cents: number) => formatUsd(cents * 10_000);
const percent = (rate: number) => `${rate / 100}%`;

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
      amount_cents < 0 ? 'Order refund' : invoiceBasisTexts[basis],
      seconds === 0 ? '' : (seconds / 3600).toFixed(4),
      '',
      dollars(amount_cents),
    ];
  if (basis === 'ai') return [description ?? '', invoiceBasisTexts[basis], '', '', dollars(amount_cents)];
  return [
    `${app_name ?? ''} / ${cvm_name ?? ''}`,
    invoiceBasisTexts[basis],
    (seconds / 3600).toFixed(4),
    rate_micros === null ? 'varies' : formatUsd(rate_micros),
    dollars(amount_cents),
  ];
}

export const sellerLines = ({
  seller,
  seller_vat_id,
}: Pick<InvoiceFacts, 'seller' | 'seller_vat_id'>): string[] => [
  ...(seller?.split('\n') ?? []),
  ...(seller_vat_id === null ? [] : [`VAT ${seller_vat_id}`]),
];

export const payerLines = (payer: Payer): string[] => [
  payer.legal_name ?? payer.name,
  ...(payer.address?.split('\n') ?? []),
  ...(payer.country === null || payer.country === undefined ? [] : [payer.country]),
  ...(payer.vat_id === null || payer.vat_id === undefined ? [] : [`VAT ${payer.vat_id}`]),
];

export function invoiceDocument(facts: PdfFacts): Paper {
  const { kind, payer, lines } = facts;
  const number = documentNumber(facts.series, facts.number);
  const isNote = kind === 'credit_note';
  const shown = lines.filter(({ amount_cents }) => !isNote || amount_cents !== 0);
  const rest = shown.slice(MAX_ROWS);
  return {
    title: `${isNote ? 'Credit note' : 'Invoice'} ${number}`,
    issued_at: facts.issued_at,
    parties: [
      ['From', sellerLines(facts)],
      ['Bill to', payerLines(payer)],
    ],
    facts: [
      ['Number', number],
      ['Issued on', shortUtcDay(facts.issued_at)],
      ...(facts.due_at === null ? [] : [['Due on', shortUtcDay(facts.due_at)] as [string, string]]),
      [
        'Service period',
        `${shortUtcDay(facts.period_start)} to ${shortUtcDay(new Date(facts.period_end.getTime() - DAY_MS))} (UTC)`,
      ],
      ['Team', `${payer.name} (${payer.slug})`],
      ...(facts.corrects === null ? [] : [['Corrects invoice', facts.corrects] as [string, string]]),
      ...(facts.reason === null ? [] : [['Reason', facts.reason] as [string, string]]),
    ],
    columns: [
      { name: 'App / CVM', share: 0.36 },
      { name: 'Service', share: 0.22 },
      { name: 'Hours', share: 0.14, right: true },
      { name: 'Per hour', share: 0.12, right: true },
      { name: 'Amount', share: 0.16, right: true },
    ],
    rows: [
      ...shown.slice(0, MAX_ROWS).map(rowOf),
      ...(rest.length === 0
        ? []
        : [
            [
              counted(rest.length, ['more line', 'more lines']),
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
