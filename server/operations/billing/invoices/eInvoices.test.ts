import { createHash } from 'node:crypto';
import { FacturX } from 'factur-x-kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminInvoice, Invoice, InvoicePage } from '../../../../generated/api/types.gen';
import { draftInvoice } from '../../../db/billing/invoices';
import { withTransaction } from '../../../db/core/client';
import { closeUsage } from '../../../jobs/billing/closeUsage';
import { startBooks, type Books } from '../../../jobs/billing/testing/books';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** Electronic invoices, parsed and validated against EN 16931 by another library. */

let server: TestServer;
let books: Books;
let admin: TestClient;
let owner: TestClient;
let team_id: number;
let months = 0;

beforeAll(async () => {
  server = await startTestServer({
    env: {
      TEEHOUSE_ROLE: 'web',
      INVOICE_TAX_PERCENT: '19',
      INVOICE_TAX_RULE: 'reverse_charge',
      INVOICE_SELLER: 'Example Cloud GmbH\\nInvalidenstraße 1\\n10115 Berlin',
      INVOICE_SELLER_VAT_ID: 'DE 123 456 789',
    },
  });
  admin = await server.register('admin@example.test');
  owner = await server.register('payer@example.test');
  ({ team_id } = await identityOf(server.services.db, 'payer@example.test'));
  books = await startBooks(server.services);
});
afterAll(() => server.stop());

/** Issues an invoice of three CVMs with odd amounts. */
async function issued(team = team_id): Promise<AdminInvoice> {
  const { db, log } = server.services;
  const month = String(++months).padStart(2, '0');
  for (const rate of [200_003, 333_333, 58_000])
    await books.cvm(team, [
      ['running', `2025-${month}-03T10:00:00Z`, { hourly_rate_micros: rate }],
      ['deleted', `2025-${month}-03T11:00:00Z`, { hourly_rate_micros: rate }],
    ]);
  await closeUsage({ db, log, now: new Date(`2025-${month}-03T14:00:00Z`) });
  const period = { start: new Date(Date.UTC(2025, months - 1)), end: new Date(Date.UTC(2025, months)) };
  const draft = await withTransaction(db, (trx) => draftInvoice(trx, team, period));
  const headers = { 'idempotency-key': `issue-${draft!.id}` };
  return (await admin.call('issueAdminInvoice', { path: { id: draft!.id }, headers })).body as AdminInvoice;
}
const download = (invoice_id: string, client = owner) =>
  client.call('downloadEInvoice', { path: { invoice_id } });
const details = (body: object) => owner.call('updateBillingDetails', { body });
const BUSINESS = {
  legal_name: 'Acme & Söhne <SAS>',
  address: '1 rue de la Paix\nEscalier B\nÉtage 3\n75002 Paris',
  country: 'FR',
};

async function checked(invoice_id: string, client = owner) {
  const answer = await download(invoice_id, client);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const xml = String(answer.body);
  const read = await FacturX.fromXML(xml);
  const result = read.validate();
  expect(result, JSON.stringify(result)).toMatchObject({ valid: true });
  return { xml, read: JSON.parse(JSON.stringify(read.object)), headers: answer.headers };
}

describe('an electronic invoice', () => {
  it('follows the rules of EN 16931 with VAT, and has the invoice’s amounts and parties', async () => {
    await details(BUSINESS);
    const invoice = await issued();
    expect(invoice.tax_percent).toBe(19);
    const { xml, read, headers } = await checked(invoice.public_id);
    expect(read.document.id).toBe(invoice.number);
    expect(read.buyer.name).toBe('Acme & Söhne <SAS>');
    expect(read.buyer.postalAddress).toMatchObject({
      country: 'FR',
      addressLineThree: 'Étage 3, 75002 Paris',
    });
    expect(read.seller.name).toBe('Example Cloud GmbH');
    expect(read.invoiceLines).toHaveLength(3);
    expect(String(xml)).toContain(`<ram:GrandTotalAmount>${invoice.total}</ram:GrandTotalAmount>`);
    expect(xml).toContain(`<ram:DuePayableAmount>${invoice.total}</ram:DuePayableAmount>`);
    expect(xml).toContain('<ram:DueDateDateTime>');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${invoice.number}.xml"`);
    const { items } = (await owner.call('listInvoices')).body as InvoicePage;
    const sha256 = createHash('sha256').update(xml).digest('hex');
    expect(items.find(({ id }) => id === invoice.public_id)?.xml_sha256).toBe(sha256);
    expect(headers.get('etag')).toBe(`"${sha256}"`);
  });

  it('has no amount due if the balance covers the invoice', async () => {
    const payer = await server.register();
    const { team_id: covered } = await identityOf(server.services.db, payer.email ?? '');
    await books.topUp(covered, 10_000_000);
    await payer.call('updateBillingDetails', { body: BUSINESS });
    const invoice = await issued(covered);
    expect(invoice).toMatchObject({ state: 'paid', tax_percent: 19 });
    const { xml, read } = await checked(invoice.public_id, payer);
    expect(read.buyer.name).toBe('Acme & Söhne <SAS>');
    expect(xml).toContain(`<ram:TotalPrepaidAmount>${invoice.total}</ram:TotalPrepaidAmount>`);
    expect(xml).toContain('<ram:DuePayableAmount>0.00</ram:DuePayableAmount>');
    expect(xml).toContain('Paid from the prepaid balance.');
    expect(xml).not.toContain('DueDateDateTime');
  });

  it('states the reason for a reverse charge', async () => {
    await details({ ...BUSINESS, vat_id: 'FR12345678901' });
    const invoice = await issued();
    expect(invoice.tax_rule).toBe('reverse_charge');
    const { xml } = await checked(invoice.public_id);
    expect(xml).toContain('<ram:ExemptionReasonCode>VATEX-EU-AE</ram:ExemptionReasonCode>');
    expect(xml).toContain('<ram:ID schemeID="VA">FR12345678901</ram:ID>');
  });

  it('for a credit note refers to the invoice, and credits a part or the rest', async () => {
    await details(BUSINESS);
    const invoice = await issued();
    for (const amount of ['0.07', '0.52']) {
      const note = await admin.call('createAdminCreditNote', {
        path: { id: invoice.id },
        body: { amount, reason: 'Outage & apology' },
        headers: { 'idempotency-key': `note-${amount}` },
      });
      expect(note.status, JSON.stringify(note.body)).toBe(201);
      const { public_id, total } = note.body as AdminInvoice;
      const { xml } = await checked(public_id);
      expect(xml).toContain('<ram:TypeCode>381</ram:TypeCode>');
      expect(xml).toContain(`<ram:IssuerAssignedID>${invoice.number}</ram:IssuerAssignedID>`);
      const credited = (-Number(total)).toFixed(2);
      expect(xml).toContain(`<ram:GrandTotalAmount>${credited}</ram:GrandTotalAmount>`);
      expect(xml).toContain(`<ram:TotalPrepaidAmount>${credited}</ram:TotalPrepaidAmount>`);
      expect(xml).toContain('Credited to the prepaid balance.');
    }
  });

  it('lists an order’s refund as a negative quantity', async () => {
    const { db } = server.services;
    const invoice = await issued();
    // Turns one of the lines into a refund; issued invoices can't be changed any other way.
    const xml = String((await download(invoice.public_id)).body);
    expect(xml).not.toContain('>-1<');
    const { eInvoice } = await import('../../../domain/billing/document/eInvoice');
    const row = await db
      .selectFrom('invoices')
      .selectAll()
      .where('id', '=', invoice.id)
      .executeTakeFirstOrThrow();
    const line = { app_name: null, cvm_name: null };
    const made = eInvoice({
      ...row,
      series: row.series!,
      number: row.number!,
      issued_at: row.issued_at!,
      payer: row.payer!,
      corrects: null,
      is_paid: false,
      subtotal_cents: 500,
      tax_cents: 95,
      total_cents: 595,
      lines: [
        { ...line, description: 'H200 for a month', amount_cents: 2000 },
        { ...line, description: 'Refund of H200 for a month', amount_cents: -1500 },
      ],
    });
    if (!('xml' in made)) throw new Error(made.missing);
    expect(made.xml).toContain('<ram:BilledQuantity unitCode="C62">-1</ram:BilledQuantity>');
    const result = (await FacturX.fromXML(made.xml)).validate();
    expect(result, JSON.stringify(result)).toMatchObject({ valid: true });
    // The rules detect a wrong sum.
    const wrong = (await FacturX.fromXML(made.xml.replaceAll('>5.00<', '>6.00<'))).validate();
    expect(wrong.valid).toBe(false);
  });

  it('doesn’t change with the billing details, and the database refuses a change', async () => {
    const { items } = (await owner.call('listInvoices')).body as InvoicePage;
    const first = items.at(-1) as Invoice;
    const before = String((await download(first.id)).body);
    await details({ legal_name: 'Other AG', country: 'AT' });
    expect(String((await download(first.id)).body)).toBe(before);
    const { db } = server.services;
    for (const change of [
      sql`update e_invoices set content = 'x', sha256 = sha256('x')`,
      sql`delete from e_invoices`,
      sql`truncate e_invoices`,
    ])
      await expect(change.execute(db)).rejects.toThrow(/refused/);
  });

  it('is missing, with a reason, if the billing details had no country, and is hidden from others', async () => {
    await details({ legal_name: 'No country', country: null, vat_id: null });
    const { public_id } = await issued();
    const answer = await download(public_id);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      message: expect.stringContaining('The billing details had no country') as string,
      suggestions: [expect.stringContaining('Set country and VAT number') as string],
    });
    const { items } = (await owner.call('listInvoices')).body as InvoicePage;
    expect(items.find(({ id }) => id === public_id)?.xml_sha256).toBeNull();
    const stranger = await server.register();
    expect((await download(items.at(-1)!.id, stranger)).status).toBe(404);
  });
});
