import { transfer } from '../../domain/billing/ledger';
import { creditLines, seriesOf, taxOn, type Payer } from '../../domain/billing/invoice';
import { taxOf, type TaxSettings } from '../../domain/billing/tax';
import { utcMonth } from '../../domain/core/dates';
import { publicId } from '../../domain/core/publicId';
import type { Tx } from '../core/client';
import { storeEInvoice } from './eInvoices/eInvoices';
import { notifyInvoice, resolveInvoice } from './invoiceNotices';
import {
  creditedOf,
  insertInvoiceLines,
  isCovered,
  linesOfInvoice,
  nextNumber,
  setInvoice,
} from './invoices';
import type { InvoiceRow } from './invoicesTables';
import { post } from './ledger';
import { toJson } from '../core/json';

const MICROS_PER_CENT = 10_000;
const DAY_MS = 86_400_000;

/** Invoice settings, from the configuration. */
export interface Invoicing extends TaxSettings {
  review_days: number;
  /** Counted from the date of issue. */
  due_days: number;
  seller: string | null;
}

async function payerOf(trx: Tx, team_id: number): Promise<Payer> {
  return trx
    .selectFrom('teams as t')
    .leftJoin('billing_details as d', 'd.team_id', 't.id')
    .select(['t.public_id as id', 't.slug', 't.name', 'd.legal_name', 'd.address', 'd.country', 'd.vat_id'])
    .where('t.id', '=', team_id)
    .executeTakeFirstOrThrow();
}

/** Returns the payer of a draft, and the tax if it were issued now. */
export async function draftTax(trx: Tx, draft: InvoiceRow, invoicing: Invoicing) {
  const payer = await payerOf(trx, draft.team_id);
  const tax = taxOf(invoicing, payer.vat_id ?? null);
  return { payer, tax, tax_cents: taxOn(draft.subtotal_cents, tax.tax_rate) };
}

/**
 * Issues a draft locked by `lockInvoice`: copies the parties, charges the tax, draws the number and notifies
 * payers. It is paid immediately if the balance covers it. The PDF is rendered after the transaction, which
 * blocks the next issuer.
 */
export async function issueInvoice(
  trx: Tx,
  draft: InvoiceRow,
  invoicing: Invoicing,
  now: Date,
): Promise<InvoiceRow> {
  const { payer, tax, tax_cents } = await draftTax(trx, draft, invoicing);
  if (tax_cents !== 0)
    await post(trx, {
      team_id: draft.team_id,
      kind: 'tax',
      source_type: 'invoice',
      source_id: draft.public_id,
      description: `Tax on the usage of ${utcMonth(draft.period_start)}`,
      effective_at: now,
      entries: transfer('prepaid', 'tax', tax_cents * MICROS_PER_CENT),
    });
  const series = seriesOf('invoice', now);
  const issued = await setInvoice(trx, draft.id, {
    state: 'open',
    payer: toJson(payer),
    seller: invoicing.seller,
    seller_vat_id: invoicing.seller_vat_id,
    ...tax,
    tax_cents,
    total_cents: draft.subtotal_cents + tax_cents,
    issued_at: now,
    due_at: new Date(now.getTime() + invoicing.due_days * DAY_MS),
    series,
    // Drawn last, because it blocks the next issuer.
    number: await nextNumber(trx, series),
  });
  const invoice = (await isCovered(trx, draft.id)) ? await payInvoice(trx, draft.id, now) : issued;
  await storeEInvoice(trx, draft.id);
  await notifyInvoice(trx, invoice, now);
  return invoice;
}

/** Settles an unpaid invoice that the balance covers. Its charges were already deducted. */
export const payInvoice = (trx: Tx, id: number, now: Date): Promise<InvoiceRow> =>
  setInvoice(trx, id, { state: 'paid', paid_at: now });

/** Voids a draft or unpaid invoice locked by `lockInvoice`. Its tax is returned; usage stays charged. */
export async function voidInvoice(trx: Tx, invoice: InvoiceRow, now: Date): Promise<InvoiceRow> {
  if (invoice.tax_cents !== 0)
    await post(trx, {
      team_id: invoice.team_id,
      kind: 'tax',
      source_type: 'invoice_void',
      source_id: invoice.public_id,
      description: 'Tax of a voided invoice',
      effective_at: now,
      entries: transfer('tax', 'prepaid', invoice.tax_cents * MICROS_PER_CENT),
    });
  await resolveInvoice(trx, invoice, 'void', now);
  return setInvoice(trx, invoice.id, { state: 'void', closed_at: now });
}

/** Closes an unpaid invoice locked by `lockInvoice` that is not expected to be paid. */
export async function writeOffInvoice(trx: Tx, invoice: InvoiceRow, now: Date): Promise<InvoiceRow> {
  await resolveInvoice(trx, invoice, null, now);
  return setInvoice(trx, invoice.id, { state: 'uncollectible', closed_at: now });
}

/** Returns the creditable remainder of an invoice's net sum and of its tax, in cents. */
export async function creditableOf(
  trx: Tx,
  invoice: InvoiceRow,
): Promise<{ cents: number; tax_cents: number }> {
  const { lines, tax_cents } = await creditedOf(trx, invoice.id);
  return {
    cents: [...lines.values()].reduce((left, { cents }) => left - cents, invoice.subtotal_cents),
    tax_cents: invoice.tax_cents - tax_cents,
  };
}

/**
 * Credits part of an issued invoice locked by `lockInvoice`, with its tax, to the team's prepaid balance.
 *
 * @param cents before tax; at most what `creditableOf` returns
 */
export async function creditInvoice(
  trx: Tx,
  invoice: InvoiceRow,
  { cents, reason }: { cents: number; reason: string },
  now: Date,
): Promise<InvoiceRow> {
  const [lines, credited] = [await linesOfInvoice(trx, invoice.id), await creditedOf(trx, invoice.id)];
  const left = lines.map(({ position, amount_micros, amount_cents }) => {
    const before = credited.lines.get(position) ?? { micros: 0, cents: 0 };
    return {
      micros: amount_micros - before.micros,
      cents: amount_cents - before.cents,
    };
  });
  const part = creditLines(cents, left, {
    rate: invoice.tax_rate,
    remaining: invoice.tax_cents - credited.tax_cents,
  });
  const micros = part.lines.reduce((sum, line) => sum + line.micros, 0);
  const public_id = publicId('inv');
  const note = await trx
    .insertInto('invoices')
    .values({
      public_id,
      team_id: invoice.team_id,
      kind: 'credit_note',
      period_start: invoice.period_start,
      period_end: invoice.period_end,
      subtotal_micros: -micros,
      subtotal_cents: -cents,
      tax_rate: invoice.tax_rate,
      tax_cents: -part.tax_cents,
      total_cents: -cents - part.tax_cents,
      corrects: invoice.id,
      reason,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Includes lines without credit, because a note's positions match its invoice's.
  await insertInvoiceLines(
    trx,
    note.id,
    lines.map((line, index) => ({
      ...line,
      seconds: 0,
      amount_micros: -(part.lines[index]?.micros ?? 0),
      amount_cents: -(part.lines[index]?.cents ?? 0),
    })),
  );
  await post(trx, {
    team_id: invoice.team_id,
    kind: 'adjustment',
    source_type: 'credit_note',
    source_id: public_id,
    description: `Credit note: ${reason}`,
    effective_at: now,
    entries: [
      ...transfer('adjustment', 'prepaid', micros),
      ...transfer('tax', 'prepaid', part.tax_cents * MICROS_PER_CENT),
    ],
  });
  const series = seriesOf('credit_note', now);
  const issued = await setInvoice(trx, note.id, {
    state: 'paid',
    payer: toJson(invoice.payer),
    seller: invoice.seller,
    seller_vat_id: invoice.seller_vat_id,
    tax_rule: invoice.tax_rule,
    issued_at: now,
    paid_at: now,
    series,
    number: await nextNumber(trx, series),
  });
  await storeEInvoice(trx, note.id);
  return issued;
}
