import { vatPrefix } from '../../../../console/lib/billing/vatId';
import { documentNumber } from '../invoice';
import type { InvoiceFacts } from './invoiceFacts';
import { xmlText } from '../../core/xml';

/**
 * Electronic invoices: the core invoice of EN 16931 in the UN/CEFACT syntax (Cross Industry Invoice D16B), as
 * receivers in the European Union require. Amounts are the invoice's, in cents.
 */

interface EInvoiceLine {
  app_name: string | null;
  cvm_name: string | null;
  description: string | null;
  amount_cents: number;
}

export interface EInvoiceFacts extends InvoiceFacts {
  /** Nothing is due: the balance covered it when it was issued, or it is credited to the balance. */
  is_paid: boolean;
  /** Number and issue date of the invoice that a credit note corrects. */
  corrects: { number: string; issued_at: Date } | null;
  lines: readonly EInvoiceLine[];
}

/** Why an invoice has no electronic one, in a sentence for its payer, and how later ones would get one. */
export interface Missing {
  missing: string;
  advice?: string;
}

const DETAILS = 'Set country and VAT number in the billing details; they apply to later invoices.';

/** Returns the XML, or what is missing: the standard requires more than a paper invoice. */
export function eInvoice(invoice: EInvoiceFacts): { xml: string } | Missing {
  const { seller, seller_vat_id, payer, tax_rule } = invoice;
  if (tax_rule === 'none' || (tax_rule === 'fixed' && invoice.tax_rate === 0))
    return { missing: 'It has no VAT.' };
  const from = countryOf(seller_vat_id);
  if (seller === null || seller_vat_id === null || from === null)
    return { missing: 'The seller’s name or VAT number is not set on this server.' };
  if (!payer.country)
    return { missing: 'The billing details had no country when it was issued.', advice: DETAILS };
  if (tax_rule === 'reverse_charge' && !payer.vat_id)
    return { missing: 'The billing details had no VAT number when it was issued.', advice: DETAILS };
  const [name = '', ...address] = seller.split('\n').map((line) => line.trim());
  return {
    xml: written(invoice, {
      seller: party({ name, address, country: from, vat_id: seller_vat_id }),
      buyer: party({
        name: payer.legal_name ?? payer.name,
        address: (payer.address ?? '').split('\n').map((line) => line.trim()),
        country: payer.country,
        vat_id: payer.vat_id && vatPrefix(payer.vat_id) !== null ? payer.vat_id : null,
      }),
    }),
  };
}

/** ISO 3166-1 code for a VAT number: Greece's prefix differs from its country code. */
function countryOf(vat_id: string | null): string | null {
  const prefix = vat_id === null ? null : vatPrefix(vat_id);
  return prefix === 'EL' ? 'GR' : prefix;
}

const NAMESPACE = 'urn:un:unece:uncefact:data:standard';
const GUIDELINE = 'urn:cen.eu:en16931:2017';
const TYPE_CODE = { invoice: '380', credit_note: '381' } as const;
/** "One": the unit counted is in the line's name. */
const UNIT = 'C62';
const CREDITED = 'Credited to the prepaid balance.';
const PAID = 'Paid from the prepaid balance.';
const REVERSE_CHARGE = { code: 'VATEX-EU-AE', reason: 'Reverse charge' } as const;

function written(invoice: EInvoiceFacts, { seller, buyer }: { seller: string; buyer: string }): string {
  const { kind, lines, tax_rule, tax_rate, due_at, is_paid, corrects, reason } = invoice;
  // A credit note's amounts are the credited ones.
  const sign = kind === 'credit_note' ? -1 : 1;
  const money = (cents: number) => amount(sign * cents);
  const category =
    tag('ram:CategoryCode', tax_rule === 'reverse_charge' ? 'AE' : 'S') +
    (tax_rule === 'reverse_charge' ? tag('ram:ExemptionReasonCode', REVERSE_CHARGE.code) : '') +
    tag('ram:RateApplicablePercent', (tax_rate / 100).toFixed(2));
  const lineCategory =
    tag('ram:TypeCode', 'VAT') +
    tag('ram:CategoryCode', tax_rule === 'reverse_charge' ? 'AE' : 'S') +
    tag('ram:RateApplicablePercent', (tax_rate / 100).toFixed(2));
  // A note has every line of its invoice.
  const charged = lines.filter(({ amount_cents }) => amount_cents !== 0);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="${NAMESPACE}:CrossIndustryInvoice:100" xmlns:ram="${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100" xmlns:qdt="${NAMESPACE}:QualifiedDataType:100" xmlns:udt="${NAMESPACE}:UnqualifiedDataType:100">
${tag('rsm:ExchangedDocumentContext', tag('ram:GuidelineSpecifiedDocumentContextParameter', tag('ram:ID', GUIDELINE)))}
<rsm:ExchangedDocument>${tag('ram:ID', documentNumber(invoice.series, invoice.number))}${tag('ram:TypeCode', TYPE_CODE[kind])}${dated('ram:IssueDateTime', invoice.issued_at)}${reason === null ? '' : tag('ram:IncludedNote', tag('ram:Content', xmlText(reason)))}</rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${(charged.length > 0 ? charged : lines).map((line, i) => lineXml(line, i + 1, { sign, lineCategory })).join('\n')}
${tag('ram:ApplicableHeaderTradeAgreement', tag('ram:SellerTradeParty', seller) + tag('ram:BuyerTradeParty', buyer))}
<ram:ApplicableHeaderTradeDelivery/>
<ram:ApplicableHeaderTradeSettlement>${tag('ram:InvoiceCurrencyCode', 'USD')}${tag(
    'ram:ApplicableTradeTax',
    tag('ram:CalculatedAmount', money(invoice.tax_cents)) +
      tag('ram:TypeCode', 'VAT') +
      (tax_rule === 'reverse_charge' ? tag('ram:ExemptionReason', REVERSE_CHARGE.reason) : '') +
      tag('ram:BasisAmount', money(invoice.subtotal_cents)) +
      category,
  )}${tag(
    'ram:BillingSpecifiedPeriod',
    dated('ram:StartDateTime', invoice.period_start) +
      dated('ram:EndDateTime', new Date(invoice.period_end.getTime() - 1)),
  )}${tag(
    'ram:SpecifiedTradePaymentTerms',
    // A due amount needs either.
    is_paid || due_at === null
      ? tag('ram:Description', kind === 'credit_note' || invoice.total_cents < 0 ? CREDITED : PAID)
      : dated('ram:DueDateDateTime', due_at),
  )}${tag(
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    tag('ram:LineTotalAmount', money(invoice.subtotal_cents)) +
      tag('ram:TaxBasisTotalAmount', money(invoice.subtotal_cents)) +
      `<ram:TaxTotalAmount currencyID="USD">${money(invoice.tax_cents)}</ram:TaxTotalAmount>` +
      tag('ram:GrandTotalAmount', money(invoice.total_cents)) +
      (is_paid ? tag('ram:TotalPrepaidAmount', money(invoice.total_cents)) : '') +
      tag('ram:DuePayableAmount', money(is_paid ? 0 : invoice.total_cents)),
  )}${corrects === null ? '' : tag('ram:InvoiceReferencedDocument', tag('ram:IssuerAssignedID', xmlText(corrects.number)) + dated('ram:FormattedIssueDateTime', corrects.issued_at, 'qdt'))}</ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

/** Prices are never negative: credited lines have a negative quantity. */
function lineXml(
  line: EInvoiceLine,
  number: number,
  { sign, lineCategory }: { sign: 1 | -1; lineCategory: string },
): string {
  const cents = sign * line.amount_cents;
  const name = line.description ?? `${line.app_name ?? ''} / ${line.cvm_name ?? ''}`;
  return tag(
    'ram:IncludedSupplyChainTradeLineItem',
    tag('ram:AssociatedDocumentLineDocument', tag('ram:LineID', String(number))) +
      tag('ram:SpecifiedTradeProduct', tag('ram:Name', xmlText(name))) +
      tag(
        'ram:SpecifiedLineTradeAgreement',
        tag('ram:NetPriceProductTradePrice', tag('ram:ChargeAmount', amount(Math.abs(cents)))),
      ) +
      tag(
        'ram:SpecifiedLineTradeDelivery',
        `<ram:BilledQuantity unitCode="${UNIT}">${cents < 0 ? -1 : 1}</ram:BilledQuantity>`,
      ) +
      tag(
        'ram:SpecifiedLineTradeSettlement',
        tag('ram:ApplicableTradeTax', lineCategory) +
          tag('ram:SpecifiedTradeSettlementLineMonetarySummation', tag('ram:LineTotalAmount', amount(cents))),
      ),
  );
}

interface Party {
  name: string;
  address: readonly string[];
  country: string;
  vat_id: string | null;
}

/** An address has at most three lines; further ones share the last. */
function party({ name, address, country, vat_id }: Party): string {
  const [first, second, ...rest] = address.filter((line) => line !== '');
  const line = (element: string, text: string | undefined) =>
    text === undefined || text === '' ? '' : tag(element, xmlText(text));
  return (
    tag('ram:Name', xmlText(name)) +
    tag(
      'ram:PostalTradeAddress',
      line('ram:LineOne', first) +
        line('ram:LineTwo', second) +
        line('ram:LineThree', rest.join(', ')) +
        tag('ram:CountryID', country),
    ) +
    (vat_id === null
      ? ''
      : tag('ram:SpecifiedTaxRegistration', `<ram:ID schemeID="VA">${xmlText(vat_id)}</ram:ID>`))
  );
}

/** `content` is XML. */
const tag = (name: string, content: string): string => `<${name}>${content}</${name}>`;

const dated = (name: string, at: Date, type: 'udt' | 'qdt' = 'udt'): string =>
  tag(
    name,
    `<${type}:DateTimeString format="102">${at.toISOString().slice(0, 10).replaceAll('-', '')}</${type}:DateTimeString>`,
  );

/** Exact: 1234 → "12.34". */
function amount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
