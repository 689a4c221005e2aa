import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminInvoice,
  BillingDetails,
  Invoice,
  InvoiceDetail,
  UpdateBillingDetails,
} from '../../../../generated/api/types.gen';
import { draftInvoice } from '../../../db/billing/invoices';
import { withTransaction } from '../../../db/core/client';
import { pdfText } from '../../../domain/billing/document/testing/pdfText';
import { closeUsage } from '../../../jobs/billing/closeUsage';
import { startBooks, type Books } from '../../../jobs/billing/testing/books';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type Answer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let books: Books;
let admin: TestClient;
let owner: TestClient;
let stranger: TestClient;
let team_id: number;
let months = 0;

beforeAll(async () => {
  server = await startTestServer({
    env: {
      INVOICE_TAX_PERCENT: '19',
      INVOICE_TAX_RULE: 'reverse_charge',
      INVOICE_SELLER: 'Example Cloud',
      INVOICE_SELLER_VAT_ID: 'DE 123 456 789',
    },
  });
  admin = await server.register('admin@example.test');
  owner = await server.register('payer@example.test');
  stranger = await server.register('stranger@example.test');
  ({ team_id } = await identityOf(server.services.db, 'payer@example.test'));
  books = await startBooks(server.services);
});
afterAll(() => server.stop());

/** Issues an invoice of $0.20 before tax. */
async function issued(): Promise<AdminInvoice> {
  const { id } = await draft();
  const headers = { 'idempotency-key': `issue-${id}` };
  return (await admin.call('issueAdminInvoice', { path: { id }, headers })).body as AdminInvoice;
}
async function draft(): Promise<{ id: number; public_id: string }> {
  const { db, log } = server.services;
  const month = String(++months).padStart(2, '0');
  await books.cvm(team_id, [
    ['running', `2025-${month}-03T10:00:00Z`, { hourly_rate_micros: 200_000 }],
    ['deleted', `2025-${month}-03T11:00:00Z`, { hourly_rate_micros: 200_000 }],
  ]);
  await closeUsage({ db, log, now: new Date(`2025-${month}-03T14:00:00Z`) });
  const period = { start: new Date(Date.UTC(2025, months - 1)), end: new Date(Date.UTC(2025, months)) };
  const row = await withTransaction(db, (trx) => draftInvoice(trx, team_id, period));
  if (!row) throw new Error('no draft');
  return row;
}
const fileOf = ({ status, headers, body }: Answer) => ({ status, headers, content: body as Buffer });
const teamFile = async (invoice_id: string, client = owner) =>
  fileOf(await client.call('downloadInvoice', { path: { invoice_id } }));
const adminFile = async (id: number, client = admin) =>
  fileOf(await client.call('downloadAdminInvoice', { path: { id } }));
const setDetails = (body: UpdateBillingDetails, client = owner) =>
  client.call('updateBillingDetails', { body });
/** Returns the server's SHA-256 of an invoice's PDF. */
const hashOf = async (id: number) =>
  ((await admin.call('getAdminInvoice', { path: { id } })).body as AdminInvoice).pdf_sha256;
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe('the PDF', () => {
  it('check 40: keeps its hash when the address and the price change later', async () => {
    await setDetails({ legal_name: 'Acme GmbH', address: 'Old Street 1' });
    const invoice = await issued();
    const first = await teamFile(invoice.public_id);
    expect(first.headers.get('content-type')).toBe('application/pdf');
    expect(first.headers.get('content-disposition')).toBe(`attachment; filename="${invoice.number}.pdf"`);
    const pdf_sha256 = await hashOf(invoice.id);
    expect(first.headers.get('etag')).toBe(`"${pdf_sha256}"`);
    expect(sha256(first.content)).toBe(pdf_sha256);
    expect(pdfText(first.content)).toContain('Old Street 1');
    await setDetails({ legal_name: 'Other AG', address: 'New Street 2' });
    await sql`update instance_types set hourly_rate_micros = hourly_rate_micros + 1`.execute(
      server.services.db,
    );
    const again = await teamFile(invoice.public_id);
    expect(again.content).toEqual(first.content);
    const detail = await owner.call('getInvoice', { path: { invoice_id: invoice.public_id } });
    expect(detail.body as InvoiceDetail).toMatchObject({
      payer: { legal_name: 'Acme GmbH', address: 'Old Street 1' },
      seller_vat_id: 'DE123456789',
    });
    expect(pdfText((await teamFile((await issued()).public_id)).content)).toContain('New Street 2');
  });

  it('cannot be changed in the database, and no other bytes match its hash', async () => {
    const { id } = await issued();
    await adminFile(id);
    const { db } = server.services;
    for (const change of [
      sql`update invoice_documents set content = 'x', sha256 = sha256('x') where invoice_id = ${id}`,
      sql`delete from invoice_documents where invoice_id = ${id}`,
      sql`truncate invoice_documents`,
    ])
      await expect(change.execute(db)).rejects.toThrow(/refused/);
    const { id: other } = await draft();
    const wrong = sql`insert into invoice_documents (invoice_id, content, sha256) values (${other}, 'x', 'y')`;
    await expect(wrong.execute(db)).rejects.toThrow(/check constraint/);
  });

  it('stays as an older version rendered it', async () => {
    const { id, public_id } = await issued();
    const content = Buffer.from('%PDF-1.7 Issued on: 2025-01-03');
    const older = sql`insert into invoice_documents (invoice_id, content, sha256)
      values (${id}, ${content}, ${createHash('sha256').update(content).digest()})`;
    await older.execute(server.services.db);
    expect((await teamFile(public_id)).content).toEqual(content);
    expect(await hashOf(id)).toBe(sha256(content));
  });

  it('is limited to the team and finance; drafts have none', async () => {
    const invoice = await issued();
    const admins = await adminFile(invoice.id);
    expect(sha256(admins.content)).toBe(await hashOf(invoice.id));
    for (const client of [stranger, stranger.with({ 'x-workspace': owner.slug! })])
      expect((await teamFile(invoice.public_id, client)).status).toBe(404);
    expect((await adminFile(invoice.id, owner)).status).toBe(403);
    const { id, public_id } = await draft();
    expect((await teamFile(public_id)).status).toBe(404);
    expect((await adminFile(id)).status).toBe(404);
    expect((await adminFile(999_999)).status).toBe(404);
  });

  it('is the same for everyone, even when several users download a new one concurrently', async () => {
    const { public_id } = await issued();
    const files = await Promise.all(Array.from({ length: 4 }, () => teamFile(public_id)));
    expect(new Set(files.map(({ content }) => sha256(content))).size).toBe(1);
  });

  it('is also generated for credit notes', async () => {
    const { id, number } = await issued();
    const note = await admin.call('createAdminCreditNote', {
      path: { id },
      body: { reason: 'Outage' },
      headers: { 'idempotency-key': 'note' },
    });
    const { id: note_id, public_id } = note.body as AdminInvoice;
    const { content } = await teamFile(public_id);
    expect(sha256(content)).toBe(await hashOf(note_id));
    expect(pdfText(content)).toContain(`Corrects invoice: ${number}`);
  });
});

describe('billing details', () => {
  const tax = async () => {
    const { public_id } = await issued();
    const { body } = await owner.call('getInvoice', { path: { invoice_id: public_id } });
    const { invoice } = body as InvoiceDetail;
    return [invoice.tax_rule, invoice.tax] satisfies [Invoice['tax_rule'], string];
  };

  it('determine the tax: reverse charge for businesses of another member state', async () => {
    expect((await setDetails({})).body).toEqual({
      legal_name: null,
      address: null,
      country: null,
      vat_id: null,
      tax_rule: 'fixed',
      tax_percent: 19,
    } satisfies BillingDetails);
    expect(await tax()).toEqual(['fixed', '0.04']);
    await setDetails({ country: 'DE', vat_id: 'DE987654321' });
    expect(await tax()).toEqual(['fixed', '0.04']);
    const set = await setDetails({ country: 'FR', vat_id: ' fr 12 345678901 ' });
    expect(set.body).toMatchObject({ vat_id: 'FR12345678901', tax_rule: 'reverse_charge', tax_percent: 0 });
    expect((await owner.call('getBillingDetails')).body).toEqual(set.body);
    expect(await tax()).toEqual(['reverse_charge', '0.00']);
  });

  it.each([
    ['vat_id', { vat_id: 'DE12' }],
    ['vat_id', { vat_id: 'US123456789' }],
    ['vat_id', { vat_id: 'DE123456789', country: 'FR' }],
    ['country', { country: 'Germany' }],
    ['country', { country: 'ZZ' }],
    ['country', { country: 'EL' }],
    ['legal_name', { legal_name: '\u200b' }],
    ['legal_name', { legal_name: 'Acme \u202eHbmG' }],
    ['address', { address: 'Street 1\u0001' }],
    ['legal_name', { legal_name: 'x'.repeat(201) }],
  ])('refuse a wrong %s', async (field, body) => {
    const before = (await owner.call('getBillingDetails')).body;
    const { status, body: problem } = await setDetails(body);
    expect(status).toBe(422);
    expect(JSON.stringify(problem)).toContain(field);
    expect((await owner.call('getBillingDetails')).body).toEqual(before);
  });

  it('are the team’s own, and changes are audited', async () => {
    const foreign = stranger.with({ 'x-workspace': owner.slug! });
    expect((await setDetails({ legal_name: 'Mallory' }, foreign)).status).toBe(404);
    expect((await foreign.call('getBillingDetails')).status).toBe(404);
    await setDetails({ legal_name: 'Acme GmbH' });
    const { rows } = await sql<{ after: unknown }>`select after from audit_log
      where action = 'billing.details' and team_id = ${team_id} order by id desc limit 1`.execute(
      server.services.db,
    );
    expect(rows).toMatchObject([{ after: { legal_name: 'Acme GmbH' } }]);
  });
});
