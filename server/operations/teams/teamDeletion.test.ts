import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { AccountDeletion, AdminOrderProduct, WorkspaceDeletion } from '../../../generated/api/types.gen';
import { insertAiHolds } from '../../db/ai/aiCharges';
import { withTransaction } from '../../db/core/client';
import { startBooks, type Books } from '../../jobs/billing/testing/books';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../../testing/cvmFixtures';
import { mailsTo } from '../../testing/mail';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { addMember, codeOf, IN_USE } from './testing/members';

let server: TestServer;
let admin: TestClient;
let books: Books;
let keys = 0;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', BILLING_ENFORCEMENT: 'on' } });
  admin = await server.register();
  books = await startBooks(server.services);
});
afterAll(() => server.stop());

const db = () => server.services.db;
const once = () => ({ 'idempotency-key': `deletion-${++keys}` });

async function team(funds: number) {
  const client = await server.register();
  const who = await identityOf(db(), client.email!);
  const path = { slug: client.slug! };
  if (funds > 0) await books.topUp(who.team_id, funds);
  return {
    client,
    ...who,
    preview: async () => (await client.call('getWorkspaceDeletion', { path })).body as WorkspaceDeletion,
    account: async () => (await client.call('getAccountDeletion')).body as AccountDeletion,
    remove: () => client.call('deleteWorkspace', { path, body: { slug: client.slug! } }),
    erase: () => client.call('deleteAccount', { body: { email: client.email! } }),
    holdForAi: (request_id: string, amount_micros: number) =>
      withTransaction(db(), (trx) =>
        insertAiHolds(trx, [{ request_id, team_id: who.team_id, amount_micros }]),
      ),
  };
}
const messageOf = ({ body }: { body: unknown }) => JSON.stringify(body);

describe('a deletion preview', () => {
  it('counts everything deleted with a team, however much it is', async () => {
    const { client, preview, account } = await team(60_000_000);
    expect(await preview()).toEqual({
      refusal: null,
      cvms: 0,
      recycled_cvms: 0,
      balance: '60.00',
      payments: 0,
      orders: 0,
    });
    const made = await admin.call('createAdminOrderProduct', {
      body: { name: 'A day', instance_type: 'tdx.small', period: 'day', price: '1.00', stock: 10 },
    });
    const product = made.body as AdminOrderProduct;
    const ordered = await client.call('createOrder', {
      headers: once(),
      body: { product_id: product.public_id, periods: 1, version: product.version, total: '1.00' },
    });
    expect(ordered.status, messageOf(ordered)).toBe(201);
    for (let left = 3; left > 0; left--)
      expect((await client.call('createTopUp', { body: { amount: '5' }, headers: once() })).status).toBe(201);
    // More than a list page holds, and newer: they must not hide open items.
    await sql`insert into payments (public_id, team_id, driver, amount_micros, reference, state, created_by)
      select 'pay_closed' || n, team_id, driver, amount_micros, 'TH-CLOSED' || n, 'cancelled', created_by
      from payments, generate_series(1, 120) n where id = (select max(id) from payments)`.execute(db());
    const found = { refusal: null, cvms: 0, recycled_cvms: 0, balance: '59.00', payments: 3, orders: 1 };
    expect(await preview()).toEqual(found);
    expect(await account()).toEqual({
      refusal: null,
      teams: [{ slug: client.slug, name: expect.any(String) as string, ...found }],
    });
  });

  it('reports what blocks the deletion, like the deletion itself', async () => {
    const { client, team_id, user_id, preview, account, remove, erase } = await team(0);
    await books.topUp(team_id, -3_000_000);
    expect(await preview()).toMatchObject({
      refusal: 'The team owes $3.00. Settle it first.',
      balance: '0.00',
    });
    expect(messageOf(await remove())).toContain((await preview()).refusal);
    expect((await account()).teams).toMatchObject([
      { refusal: expect.stringContaining('owes $3.00') as string },
    ]);
    expect(messageOf(await erase())).toContain((await account()).refusal!.slice(0, 40));
    const host = await insertHost(db());
    const app = await insertApp(db(), { team_id, user_id, host, name: 'kept' });
    await insertCvm(db(), { ...app, host, user_id, change: { status: 'stopped', started_at: null } });
    const stopped = { status: 'stopped', started_at: null } as const;
    const gone = await insertCvm(db(), { ...app, host, user_id, change: stopped });
    await db()
      .updateTable('cvms')
      .set({ deleted_at: new Date(), purge_at: new Date(Date.now() + 3_600_000) })
      .where('id', '=', gone.id)
      .execute();
    expect(await preview()).toMatchObject({
      cvms: 1,
      recycled_cvms: 1,
      refusal: 'The team still has 1 CVM. Delete it first.',
    });
    expect((await account()).teams).toMatchObject([{ cvms: 1 }]);
    expect(client.slug).toBeTruthy();
  });

  it('is limited to the owner, in a session', async () => {
    const { client, preview, team_id, user_id } = await team(0);
    const path = { slug: client.slug! };
    const other = await addMember(server, client.slug!, 'admin');
    expect((await other.client.call('getWorkspaceDeletion', { path })).status).toBe(403);
    expect((await (await server.register()).call('getWorkspaceDeletion', { path })).status).toBe(404);
    const token = await insertToken(db(), { team_id, user_id });
    const byToken = server.anonymous.with({ 'x-api-key': token });
    expect((await byToken.call('getWorkspaceDeletion', { path })).status).toBe(403);
    expect((await byToken.call('getAccountDeletion')).status).toBe(403);
    expect((await preview()).refusal).toBeNull();
    // Another member remains, so the account can't leave the team without an owner.
    const { teams } = (await client.call('getAccountDeletion')).body as AccountDeletion;
    expect(teams[0]?.refusal).toContain('only owner');
  });
});

describe('AI requests in progress', () => {
  it('block every way of deleting a team whose balance may not cover them', async () => {
    const { client, team_id, preview, remove, erase, holdForAi } = await team(1_000_000);
    await holdForAi('within', 1_000_000);
    expect((await preview()).refusal).toBeNull();
    await holdForAi('beyond', 1);
    expect((await preview()).refusal).toContain('AI requests and refunds in progress');
    const admins = () => admin.call('deleteAdminWorkspace', { path: { id: team_id } });
    for (const refused of [await remove(), await erase(), await admins()]) {
      expect(refused.status).toBe(409);
      expect(messageOf(refused)).toContain('AI requests and refunds in progress');
    }
    await db().deleteFrom('ai_holds').where('request_id', '=', 'beyond').execute();
    expect(client.email).toBeTruthy();
    expect((await erase()).status).toBe(204);
  });
});

describe('the owners of a team in debt', () => {
  const patch = (client: TestClient, slug: string, user_id: string, role: string) =>
    client.call('updateMember', { path: { slug, user_id }, body: { role } });

  it('cannot change until it is settled, so that the debt isn’t left to another member', async () => {
    const { client, team_id } = await team(0);
    const slug = client.slug!;
    const owner = await addMember(server, slug, 'owner');
    const viewer = await addMember(server, slug, 'viewer');
    const transfer = () => client.call('transferWorkspace', { path: { slug }, body: { user_id: viewer.id } });
    const leave = (who: TestClient) => who.call('leaveWorkspace', { path: { slug } });
    const invite = (role: string) =>
      client.call('createInvitation', {
        path: { slug },
        body: { email: `${role}-${++keys}@example.test`, role },
        headers: once(),
      });
    await books.topUp(team_id, -3_000_000);
    for (const refused of [
      await transfer(),
      await patch(client, slug, viewer.id, 'owner'),
      await patch(client, slug, owner.id, 'viewer'),
      await client.call('deleteMember', { path: { slug, user_id: owner.id } }),
      await leave(owner.client),
      await leave(client),
      await invite('owner'),
    ]) {
      expect(codeOf(refused), messageOf(refused)).toBe(IN_USE);
      expect(messageOf(refused)).toContain('The team owes $3.00. Settle it first.');
    }
    // Nor by deleting the account while another owner remains; the preview says so as well.
    const erased = await owner.client.call('deleteAccount', { body: { email: owner.email } });
    expect(erased.status).toBe(409);
    expect(messageOf(erased)).toContain('owes $3.00');
    const seen = (await owner.client.call('getAccountDeletion')).body as AccountDeletion;
    expect(seen.refusal).toContain('owes $3.00');
    const { body } = await client.call('getWorkspace', { path: { slug } });
    expect(body).toMatchObject({ role: 'owner' });

    // Changes not involving owners still work.
    expect((await invite('member')).status).toBe(201);
    expect((await patch(client, slug, viewer.id, 'billing')).status).toBe(200);
    const second = await addMember(server, slug, 'member');
    expect((await leave(second.client)).status).toBe(204);

    await books.topUp(team_id, 3_000_000);
    expect((await leave(owner.client)).status).toBe(204);
    expect((await transfer()).status).toBe(200);
    expect((await leave(client)).status).toBe(204);
  });

  it('cannot change while holds may exceed the balance', async () => {
    const { client, team_id, holdForAi } = await team(1_000_000);
    const slug = client.slug!;
    const viewer = await addMember(server, slug, 'viewer');
    await holdForAi('owners', 1_000_001);
    const transfer = { path: { slug }, body: { user_id: viewer.id } };
    const refused = await client.call('transferWorkspace', transfer);
    expect(codeOf(refused)).toBe(IN_USE);
    expect(messageOf(refused)).toContain('AI requests and refunds in progress');
    await books.topUp(team_id, 1_000_000);
    expect((await client.call('transferWorkspace', transfer)).status).toBe(200);
  });

  it('may change while the debt is within the limit, but it still blocks deletion', async () => {
    const { client, team_id, preview } = await team(0);
    const slug = client.slug!;
    const viewer = await addMember(server, slug, 'viewer');
    await books.topUp(team_id, -3_000_000);
    const setCap = (post_paid_cap_micros: number) =>
      db().updateTable('teams').set({ post_paid_cap_micros }).where('id', '=', team_id).execute();
    const promote = () => patch(client, slug, viewer.id, 'owner');
    await setCap(2_999_999);
    expect(codeOf(await promote())).toBe(IN_USE);
    await setCap(3_000_000);
    expect((await preview()).refusal).toContain('owes $3.00');
    expect((await promote()).status).toBe(200);
    expect((await client.call('leaveWorkspace', { path: { slug } })).status).toBe(204);
  });

  it('can’t be joined through an earlier invitation', async () => {
    const { client, team_id } = await team(0);
    const slug = client.slug!;
    const invited = await server.register();
    const sent = await client.call('createInvitation', {
      path: { slug },
      body: { email: invited.email!, role: 'owner' },
      headers: once(),
    });
    expect(sent.status, messageOf(sent)).toBe(201);
    const token = (await mailsTo(server.services, invited.email!)).at(-1)?.token ?? '';
    await books.topUp(team_id, -3_000_000);
    const accept = () => invited.call('acceptInvitation', { body: { token } });
    const refused = await accept();
    expect(codeOf(refused)).toBe(IN_USE);
    // The team's debt must not be revealed to nonmembers.
    expect(messageOf(refused)).not.toContain('$');
    await books.topUp(team_id, 3_000_000);
    expect((await accept()).body).toMatchObject({ slug, role: 'owner' });
  });
});
