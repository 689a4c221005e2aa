import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AdminInvoice,
  AdminInvoiceLine,
  Billing,
  InvoiceDetail,
  InvoiceLinePage,
  InvoicePage,
} from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { draftInvoice } from '../../../db/billing/invoices';
import { withTransaction } from '../../../db/core/client';
import { closeUsage } from '../../../jobs/billing/closeUsage';
import { startBooks, type Books } from '../../../jobs/billing/testing/books';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let books: Books;
let admin: TestClient;
let owner: TestClient;
let stranger: TestClient;
let team_id: number;
let keys = 0;

beforeAll(async () => {
  server = await startTestServer({
    env: { INVOICE_TAX_PERCENT: '19', INVOICE_SELLER: 'Example Cloud\\nBerlin' },
  });
  admin = await server.register('admin@example.test');
  owner = await server.register('payer@example.test');
  stranger = await server.register('stranger@example.test');
  ({ team_id } = await identityOf(server.services.db, 'payer@example.test'));
  books = await startBooks(server.services);
});
afterAll(async () => {
  expect(await checkBooks(server.services.db)).toEqual([]);
  await server.stop();
});

/** Creates a draft of $0.20 per CVM for a separate month. */
let months = 0;
async function draft(cvms = 1): Promise<AdminInvoice> {
  const { db, log } = server.services;
  const month = String(++months).padStart(2, '0');
  for (let count = 0; count < cvms; count++)
    await books.cvm(team_id, [
      ['running', `2025-${month}-03T10:00:00Z`, { hourly_rate_micros: 200_000 }],
      ['deleted', `2025-${month}-03T11:00:00Z`, { hourly_rate_micros: 200_000 }],
    ]);
  await closeUsage({ db, log, now: new Date(`2025-${month}-03T14:00:00Z`) });
  const period = { start: new Date(Date.UTC(2025, months - 1)), end: new Date(Date.UTC(2025, months)) };
  const row = await withTransaction(db, (trx) => draftInvoice(trx, team_id, period));
  return (await admin.call('getAdminInvoice', { path: { id: row?.id ?? 0 } })).body as AdminInvoice;
}
const balance = async () => Number(((await owner.call('getBilling')).body as Billing).balance);
const listed = async () => ((await owner.call('listInvoices')).body as InvoicePage).items;
const lines = async (invoice_id: string, query: Record<string, unknown> = {}) =>
  (await owner.call('listInvoiceLines', { path: { invoice_id }, query })).body as InvoiceLinePage;
/** Returns all items of a list, page by page. */
async function walk<T>(
  read: (cursor: string | null) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    cursor = page.next_cursor;
  }
}
const once = () => ({ 'idempotency-key': `once-${++keys}` });
const issue = async (id: number) =>
  (await admin.call('issueAdminInvoice', { path: { id }, headers: once() })).body as AdminInvoice;
const credit = (id: number, body: object, key = `key-${++keys}`, client = admin) =>
  client.call('createAdminCreditNote', { path: { id }, body, headers: { 'idempotency-key': key } });
const code = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code: string }).code,
];

describe('invoices', () => {
  it('are visible to the team once issued, with lines, parties and tax', async () => {
    const { id } = await draft();
    expect(await listed()).toEqual([]);
    const before = await balance();
    const issued = await issue(id);
    expect(issued).toMatchObject({
      state: 'open',
      subtotal: '0.20',
      tax_percent: 19,
      tax: '0.04',
      total: '0.24',
    });
    expect(issued.number).toMatch(/^INV-\d{4}-00001$/);
    expect(await balance()).toBeCloseTo(before - 0.04, 6);
    const [invoice] = await listed();
    expect(invoice).toMatchObject({ id: issued.public_id, number: issued.number, month: '2025-01' });
    const found = await admin.call('listAdminInvoices', {
      query: { filter: JSON.stringify({ q: issued.number?.toLowerCase() }) },
    });
    expect(found.body).toMatchObject([{ id }]);
    const detail = (await owner.call('getInvoice', { path: { invoice_id: issued.public_id } }))
      .body as InvoiceDetail;
    expect(detail).toMatchObject({ seller: 'Example Cloud\nBerlin', payer: { slug: owner.slug } });
    expect((await lines(issued.public_id)).items).toMatchObject([
      { basis: 'size', hours: 1, hourly_rate: '0.198', exact_amount: '0.198', amount: '0.20' },
      { basis: 'disk', hours: 1, hourly_rate: '0.002', exact_amount: '0.002', amount: '0.00' },
    ]);
    const issuedAgain = await admin.call('issueAdminInvoice', { path: { id }, headers: once() });
    expect(code(issuedAgain)).toEqual([409, 'ERR-04-007']);
  });

  it('are listed in pages without gaps or repetitions, and so are their lines', async () => {
    const { id } = await draft(3);
    await issue(id);
    const pages = await walk(async (cursor) => {
      const query = { limit: 1, ...(cursor === null ? {} : { cursor }) };
      return (await owner.call('listInvoices', { query })).body as InvoicePage;
    });
    expect(pages.map((invoice) => invoice.id)).toEqual((await listed()).map((invoice) => invoice.id));
    const invoice_id = pages[0]!.id;
    const shown = await walk((cursor) =>
      lines(invoice_id, { limit: 2, ...(cursor === null ? {} : { cursor }) }),
    );
    expect(shown).toEqual((await lines(invoice_id)).items);
    expect(shown).toHaveLength(6);
    for (const call of [
      owner.call('listInvoices', { query: { cursor: 'x' } }),
      owner.call('listInvoiceLines', { path: { invoice_id }, query: { cursor: 'x' } }),
    ])
      expect(code(await call)[0]).toBe(422);
    const admins = await admin.call('listAdminInvoiceLines', {
      path: { id },
      query: { sort: '["id","DESC"]', range: '[0,1]' },
    });
    expect((admins.body as AdminInvoiceLine[]).map((line) => line.id)).toEqual([6, 5]);
    expect(admins.headers.get('content-range')).toMatch(/0-1\/6$/);
  });

  it('are hidden from other teams, even under the team’s address, and drafts are hidden from the team', async () => {
    const { id, public_id } = await draft();
    for (const invoice_id of [public_id, 'inv_missing'])
      for (const operation of ['getInvoice', 'listInvoiceLines'] as const)
        expect(code(await owner.call(operation, { path: { invoice_id } }))[0], invoice_id).toBe(404);
    await issue(id);
    expect((await stranger.call('listInvoices')).body).toEqual({ items: [], next_cursor: null });
    const within = stranger.with({ 'x-workspace': owner.slug! });
    expect(code(await within.call('listInvoices'))[0]).toBe(404);
    for (const client of [stranger, within])
      for (const operation of ['getInvoice', 'listInvoiceLines'] as const)
        expect(code(await client.call(operation, { path: { invoice_id: public_id } }))[0]).toBe(404);
  });

  it.each([
    ['viewer', 403],
    ['member', 403],
    ['billing', 200],
  ] as const)('answer a %s with %i', async (role, status) => {
    const { id, public_id } = await draft();
    await issue(id);
    const email = `${role}@example.test`;
    const client = (await server.register(email)).with({ 'x-workspace': owner.slug! });
    const { user_id } = await identityOf(server.services.db, email);
    await server.services.db
      .insertInto('memberships')
      .values({ team_id, user_id, role, is_default: false })
      .execute();
    expect((await client.call('listInvoices')).status).toBe(status);
    for (const operation of ['getInvoice', 'listInvoiceLines'] as const)
      expect((await client.call(operation, { path: { invoice_id: public_id } })).status).toBe(status);
  });

  it('can be changed by finance only, and filtered by state', async () => {
    const { id } = await draft();
    for (const call of [
      owner.call('listAdminInvoices'),
      owner.call('getAdminInvoice', { path: { id } }),
      owner.call('issueAdminInvoice', { path: { id } }),
      owner.call('voidAdminInvoice', { path: { id }, body: { reason: 'x' } }),
      owner.call('writeOffAdminInvoice', { path: { id }, body: { reason: 'x' } }),
      owner.call('listAdminInvoiceLines', { path: { id } }),
      credit(id, { reason: 'x' }, 'key-owner', owner),
    ])
      expect((await call).status).toBe(403);
    const { body } = await admin.call('listAdminInvoices', {
      query: { filter: JSON.stringify({ state: 'draft', team_id }) },
    });
    expect((body as AdminInvoice[]).map((row) => row.id)).toEqual([id]);
    const none = { path: { id: 999_999 }, body: { reason: 'x' } };
    for (const call of [
      admin.call('getAdminInvoice', { path: none.path }),
      admin.call('listAdminInvoiceLines', { path: none.path }),
      admin.call('issueAdminInvoice', { path: none.path, headers: once() }),
      admin.call('voidAdminInvoice', { ...none, headers: once() }),
      admin.call('writeOffAdminInvoice', { ...none, headers: once() }),
      credit(none.path.id, none.body),
    ])
      expect(code(await call)[0]).toBe(404);
  });

  it('can be voided, returning their tax, or written off', async () => {
    const one = await issue((await draft()).id);
    const before = await balance();
    const voided = await admin.call('voidAdminInvoice', {
      path: { id: one.id },
      body: { reason: 'Test team' },
      headers: once(),
    });
    expect(voided.body).toMatchObject({ state: 'void', number: one.number });
    expect(await balance()).toBeCloseTo(before + 0.04, 6);
    const again = await admin.call('voidAdminInvoice', {
      path: { id: one.id },
      body: { reason: 'Test team' },
      headers: once(),
    });
    expect(code(again)).toEqual([409, 'ERR-04-007']);
    const other = await issue((await draft()).id);
    const closed = await admin.call('writeOffAdminInvoice', {
      path: { id: other.id },
      body: { reason: 'Bankrupt' },
      headers: once(),
    });
    expect(closed.body).toMatchObject({ state: 'uncollectible' });
    const twice = await admin.call('writeOffAdminInvoice', {
      path: { id: other.id },
      body: { reason: 'Bankrupt' },
      headers: once(),
    });
    expect(code(twice)).toEqual([409, 'ERR-04-007']);
    const { rows } = await sql<{ action: string; reason: string | null }>`
      select action, after->>'reason' as reason from audit_log
      where target_id in (${one.public_id}, ${other.public_id}) order by id`.execute(server.services.db);
    expect(rows).toEqual([
      { action: 'invoice.issue', reason: null },
      { action: 'invoice.void', reason: 'Test team' },
      { action: 'invoice.issue', reason: null },
      { action: 'invoice.uncollectible', reason: 'Bankrupt' },
    ]);
  });

  it('can be credited in parts that sum to the total, once per Idempotency-Key', async () => {
    const { id, public_id } = await issue((await draft()).id);
    const before = await balance();
    const first = await credit(id, { amount: '0.07', reason: 'Outage' }, 'one');
    expect(first.status).toBe(201);
    expect((await credit(id, { amount: '0.07', reason: 'Outage' }, 'one')).body).toEqual(first.body);
    expect(code(await credit(id, { amount: '0.08', reason: 'Outage' }, 'one'))).toEqual([409, 'ERR-00-011']);
    for (const amount of ['0.14', '0', '0.005'])
      expect(code(await credit(id, { amount, reason: 'Outage' }))[0], amount).toBe(422);
    const voiding = await admin.call('voidAdminInvoice', {
      path: { id },
      body: { reason: 'x' },
      headers: once(),
    });
    expect(code(voiding)).toEqual([409, 'ERR-04-007']);
    const rest = await credit(id, { reason: 'Outage' });
    const totals = [first.body, rest.body].map((row) => Number((row as AdminInvoice).total));
    expect(totals[0]! + totals[1]!).toBeCloseTo(-0.24, 6);
    expect(await balance()).toBeCloseTo(before + 0.24, 6);
    expect(code(await credit(id, { reason: 'Outage' }))).toEqual([409, 'ERR-04-007']);
    expect((await listed())[0]).toMatchObject({ kind: 'credit_note', corrects: public_id, reason: 'Outage' });
    const note = (rest.body as AdminInvoice).id;
    expect(code(await credit(note, { reason: 'Outage' }))).toEqual([409, 'ERR-04-007']);
    const missing = await admin.call('createAdminCreditNote', { path: { id }, body: { reason: 'x' } });
    expect(code(missing)).toEqual([400, 'ERR-04-004']);
  });
});
