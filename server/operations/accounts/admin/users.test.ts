import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminAudit, AdminUser, AdminWorkspace } from '../../../../generated/api/types.gen';
import type { PlatformRole } from '../../../domain/core/caller';
import { openDebt } from '../../../db/billing/debts';
import { lockLedger, post } from '../../../db/billing/ledger';
import { withTransaction } from '../../../db/core/client';
import { transfer } from '../../../domain/billing/ledger';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../../../testing/cvmFixtures';
import { hashToken } from '../../../domain/teams/token';
import { PASSWORD, type TestClient, type TestServer } from '../../../testing/server';
import { setUpTotp } from '../../../testing/signIn';
import { startAdminTest, type AdminTest } from '../../core/admin/testing/admin';

let server: TestServer;
let admin: TestClient;
let audits: AdminTest['audits'];

beforeAll(async () => {
  ({ server, admin, audits } = await startAdminTest({ TEEHOUSE_ROLE: 'web' }));
});
afterAll(() => server?.stop());

const db = () => server.services.db;
const idOf = async (client: TestClient) => (await identityOf(db(), client.email ?? '')).user_id;
const code = (answer: { body: unknown }) => (answer.body as { code?: string }).code;
const filter = (value: Record<string, unknown>) => ({ query: { filter: JSON.stringify(value) } });
async function staff(platform_role: PlatformRole): Promise<TestClient> {
  const client = await server.register();
  await db()
    .updateTable('users')
    .set({ platform_role })
    .where('id', '=', await idOf(client))
    .execute();
  return client;
}
const mailed = async ({ email }: TestClient) =>
  (
    await db()
      .selectFrom('outbox')
      .select('template')
      .where('to', '=', email ?? '')
      .execute()
  ).map(({ template }) => template);
const ended = (stream: Response) =>
  stream.text().then(
    () => 'ended',
    () => 'cut',
  );
const getUser = async (id: number, by = admin) =>
  (await by.call('getAdminUser', { path: { id } })).body as AdminUser;

it('shows platform spend to roles with billing access only', async () => {
  const seen = await admin.call('getAdminSpend');
  expect(seen.status, JSON.stringify(seen.body)).toBe(200);
  expect(seen.body).toMatchObject({
    hourly_rate: expect.stringMatching(/^[0-9.]+$/),
    teams: expect.any(Array),
  });
  // Computed once for all concurrent readers.
  const again = await (await staff('finance')).call('getAdminSpend');
  expect(again.body).toEqual(seen.body);
  expect((await (await staff('infra')).call('getAdminSpend')).status).toBe(403);
  expect((await server.anonymous.call('getAdminSpend')).status).toBe(401);
});

describe('user accounts', () => {
  it('lists, searches and shows users to staff, with email addresses only for permitted roles', async () => {
    const user = await server.register();
    const id = await idOf(user);
    expect(await getUser(id)).toMatchObject({
      email: user.email,
      state: 'active',
      team_count: 1,
      session_count: 1,
    });
    const found = await admin.call('listAdminUsers', filter({ q: user.email }));
    expect(found.body).toMatchObject([{ id }]);
    const infra = await staff('infra');
    expect((await getUser(id, infra)).email).toBeNull();
    // The filter can't be used to guess addresses either.
    expect((await infra.call('listAdminUsers', filter({ email: user.email }))).status).toBe(422);
    expect((await infra.call('listAdminUsers', filter({ q: user.email }))).body).toEqual([]);
    expect((await infra.call('listAdminUsers', { query: { sort: '["email","ASC"]' } })).status).toBe(422);
    expect((await user.call('listAdminUsers')).status).toBe(403);
    expect((await admin.call('getAdminUser', { path: { id: 999_999 } })).status).toBe(404);
    expect(JSON.stringify(await getUser(id))).not.toContain('password');
  });

  it('revokes access on suspension; reactivation restores tokens but not sessions', async () => {
    const user = await server.register();
    const who = await identityOf(db(), user.email ?? '');
    const path = { id: who.user_id };
    const token = server.anonymous.with({ 'x-api-key': await insertToken(db(), who) });
    const revoked_token = await insertToken(db(), who);
    await db()
      .updateTable('api_tokens')
      .set({ revoked_at: new Date() })
      .where('token_hash', '=', hashToken(revoked_token))
      .execute();
    const revoked = server.anonymous.with({ 'x-api-key': revoked_token });
    const apps = async () => (await token.call('listApps')).status;
    expect(await apps()).toBe(200);
    const open: Record<string, string>[] = [
      { cookie: user.cookie ?? '' },
      { 'x-api-key': await insertToken(db(), who) },
    ];
    const streams = await Promise.all(
      open.map((headers) =>
        fetch(`${server.address}/api/v1/events/stream?workspace=${user.slug}`, { headers }),
      ),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const body = { reason: 'Mines coins' };
    const done = await admin.call('suspendAdminUser', { path, body });
    expect(done.body, JSON.stringify(done.body)).toMatchObject({
      state: 'suspended',
      session_count: 0,
      token_count: 2,
    });
    expect((await user.call('getAccount')).status).toBe(401);
    expect(await apps()).toBe(401);
    const password = { email: user.email, password: PASSWORD };
    expect((await server.anonymous.call('createSession', { body: password })).status).toBe(401);
    for (const stream of streams) expect(await ended(stream)).toBe('ended');
    expect((await admin.call('suspendAdminUser', { path, body })).status).toBe(409);
    expect((await admin.call('reactivateAdminUser', { path, body })).body).toMatchObject({ state: 'active' });
    expect((await admin.call('reactivateAdminUser', { path, body })).status).toBe(409);
    expect((await user.call('getAccount')).status).toBe(401);
    expect(await apps()).toBe(200);
    expect((await revoked.call('listApps')).status).toBe(401);
    expect((await server.anonymous.call('createSession', { body: password })).status).toBe(201);
    const { public_id } = await getUser(who.user_id);
    expect((await audits('user', public_id)).slice(-3, -1)).toMatchObject([
      {
        action: 'user.suspend',
        before: { state: 'active' },
        after: { state: 'suspended', reason: 'Mines coins', sessions: 1, tokens: 2 },
      },
      {
        action: 'user.reactivate',
        before: { state: 'suspended' },
        after: { state: 'active', reason: 'Mines coins', tokens: 2 },
      },
    ]);
  });

  it('requires a recently confirmed admin and the current version to change a platform role', async () => {
    const user = await server.register();
    const path = { id: await idOf(user) };
    const read = await admin.call('getAdminUser', { path });
    const headers = { 'if-match': read.headers.get('etag') ?? '' };
    const made = await admin.call('updateAdminUser', { path, headers, body: { platform_role: 'support' } });
    expect(made.body).toMatchObject({ platform_role: 'support' });
    expect(
      (await admin.call('updateAdminUser', { path, headers, body: { platform_role: null } })).status,
    ).toBe(412);
    expect((await user.call('listAdminUsers')).status).toBe(200);
    expect((await user.call('updateAdminUser', { path, body: { platform_role: 'admin' } })).status).toBe(403);
    const other = await staff('admin');
    await sql`update sessions set confirmed_at = 'epoch' where user_id = ${await idOf(other)}`.execute(db());
    expect(code(await other.call('updateAdminUser', { path, body: { platform_role: null } }))).toBe(
      'ERR-00-031',
    );
    await db()
      .updateTable('users')
      .set({ platform_role: null })
      .where('id', '=', await idOf(other))
      .execute();
  });

  it('keeps at least one platform admin when two step down concurrently', async () => {
    const second = await staff('admin');
    const ids = [await idOf(admin), await idOf(second)];
    const answers = await Promise.all(
      [admin, second].map((client, i) =>
        client.call('updateAdminUser', { path: { id: ids[i] ?? 0 }, body: { platform_role: null } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.map(code)).toContain('ERR-08-002');
    await db()
      .updateTable('users')
      .set({ platform_role: 'admin' })
      .where('id', '=', ids[0] ?? 0)
      .execute();
    await db()
      .updateTable('users')
      .set({ platform_role: null })
      .where('id', '=', ids[1] ?? 0)
      .execute();
    const alone = await admin.call('suspendAdminUser', {
      path: { id: ids[0] ?? 0 },
      body: { reason: 'mistake' },
    });
    expect(code(alone)).toBe('ERR-08-002');
  });

  it('ends sessions, resets the second factor and resends the verification link', async () => {
    const user = await server.register();
    await setUpTotp(server, user);
    const path = { id: await idOf(user) };
    const body = { reason: 'Lost the phone' };
    expect((await admin.call('endAdminUserSessions', { path, body })).body).toMatchObject({
      session_count: 0,
    });
    expect((await user.call('getAccount')).status).toBe(401);
    const reset = await admin.call('resetAdminUserSecondFactor', { path, body });
    expect(reset.body).toMatchObject({ second_factor: false });
    expect((await admin.call('resetAdminUserSecondFactor', { path, body })).status).toBe(409);
    expect(await mailed(user)).toContain('second_factor_reset');
    for (const table of ['totp_credentials', 'recovery_codes', 'passkeys'] as const)
      expect(await db().selectFrom(table).select('user_id').where('user_id', '=', path.id).execute()).toEqual(
        [],
      );
    expect((await admin.call('resendAdminUserVerification', { path })).status).toBe(409);
    await db().updateTable('users').set({ email_verified_at: null }).where('id', '=', path.id).execute();
    expect((await admin.call('resendAdminUserVerification', { path })).status).toBe(200);
    const mail = await db()
      .selectFrom('outbox')
      .select('template')
      .where('to', '=', user.email ?? '')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(mail?.template).toBe('verify_email');
    const self = await admin.call('resetAdminUserSecondFactor', { path: { id: await idOf(admin) }, body });
    expect(self.status).toBe(409);
  });
});

describe('teams', () => {
  it('shows members and contents, updates tier and limits, and deletes only an empty team', async () => {
    const user = await server.register();
    const who = await identityOf(db(), user.email ?? '');
    const path = { id: who.team_id };
    const host = await insertHost(db());
    const app = await insertApp(db(), { ...who, host, name: 'inside' });
    const cvm = await insertCvm(db(), { ...app, host, ...who });
    const read = await admin.call('getAdminWorkspace', { path });
    expect(read.body).toMatchObject({
      slug: user.slug,
      owner_id: who.user_id,
      member_count: 1,
      app_count: 1,
    });
    const changed = await admin.call('updateAdminWorkspace', { path, body: { tier: 'pro', max_cvms: 99 } });
    expect(changed.body as AdminWorkspace).toMatchObject({ tier: 'pro', max_cvms: 99 });
    // The team sees it in its own audit log.
    const log = await user.call('listAuditEntries', { path: { slug: user.slug ?? '' }, query: {} });
    expect(log.body.data[0]).toMatchObject({ action: 'team.update', actor: { kind: 'staff' } });

    const members = await admin.call('listAdminMembers', filter({ team_id: who.team_id }));
    expect(members.body).toMatchObject([{ user_id: who.user_id, role: 'owner' }]);
    const apps = await admin.call('listAdminApps', filter({ team_id: who.team_id }));
    expect(apps.body).toMatchObject([{ id: app.app.app_id, cvm_count: 1, revision_count: 1 }]);
    expect((await admin.call('getAdminApp', { path: { id: app.app.app_id } })).body).toMatchObject({
      name: 'inside',
    });
    const usage = await admin.call('listAdminUsage', filter({ user_id: who.user_id }));
    expect(usage.body).toMatchObject([{ id: cvm.vm_uuid, amount: expect.stringMatching(/^\d+\.\d\d/) }]);
    const csv = await admin.call('listAdminUsage', {
      query: { ...filter({ team_id: who.team_id }).query, format: 'csv', columns: 'name,amount' },
    });
    expect(String(csv.body)).toContain(cvm.name);

    const used = await admin.call('deleteAdminWorkspace', { path });
    expect(used.status).toBe(409);
    expect(JSON.stringify(used.body)).toContain(cvm.name);
    await db()
      .updateTable('cvms')
      .set({ deleted_at: new Date(), status: 'deleted' })
      .where('id', '=', cvm.id)
      .execute();
    expect((await admin.call('deleteAdminWorkspace', { path })).status).toBe(204);
    expect(await mailed(user)).toContain('team_deleted');
    expect((await admin.call('deleteAdminWorkspace', { path })).status).toBe(404);
    expect((await admin.call('updateAdminWorkspace', { path, body: { tier: 'free' } })).status).toBe(409);
    expect((await (await staff('support')).call('deleteAdminWorkspace', { path })).status).toBe(403);
  });
});

it("shows a team's balance and debt, and finds teams in debt", async () => {
  const user = await server.register();
  const { team_id } = await identityOf(db(), user.email ?? '');
  const read = async () =>
    (await admin.call('getAdminWorkspace', { path: { id: team_id } })).body as AdminWorkspace;
  const inDebt = async () =>
    (
      (await admin.call('listAdminWorkspaces', { query: { filter: JSON.stringify({ in_debt: true }) } }))
        .body as AdminWorkspace[]
    ).map(({ id }) => id);
  expect(await read()).toMatchObject({ balance: '0.00', in_debt: false, debt_since: null, stops_at: null });
  expect(await inDebt()).not.toContain(team_id);
  const now = new Date();
  const debt = await withTransaction(db(), async (trx) => {
    await lockLedger(trx, team_id);
    await post(trx, {
      team_id,
      kind: 'adjustment',
      source_type: 'test',
      source_id: user.email ?? '',
      description: 'Test',
      effective_at: now,
      entries: transfer('adjustment', 'prepaid', -250_000_000),
    });
    return openDebt(trx, team_id, now, { grace: 3, keep: 30, pending: 14 });
  });
  expect(await read()).toMatchObject({
    balance: '-250.00',
    in_debt: true,
    debt_since: debt?.started_at.toISOString(),
    stops_at: debt?.stops_at.toISOString(),
  });
  expect(await inDebt()).toContain(team_id);
});

describe('audit log across teams', () => {
  const list = async (value: Record<string, unknown>, by = admin) =>
    (await by.call('listAdminAudit', { query: { filter: JSON.stringify(value), sort: '["id","DESC"]' } }))
      .body as AdminAudit[];

  it('filters by user, team, action, target, request and time, newest first', async () => {
    const user = await server.register();
    const { user_id, team_id } = await identityOf(db(), user.email ?? '');
    const [made] = await list({ team_id });
    expect(made).toMatchObject({
      action: 'user.register',
      actor_user_id: user_id,
      chain_state: 'not_checked',
      before: null,
    });
    expect((await list({ action: 'user.register', actor_user_id: user_id })).map(({ id }) => id)).toContain(
      made?.id,
    );
    expect(await list({ request_id: made?.request_id })).not.toEqual([]);
    expect(await list({ target_id: made?.target_id ?? '', team_id })).not.toEqual([]);
    expect(await list({ team_id, at_gte: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    expect((await user.call('listAdminAudit')).status).toBe(403);
    expect((await (await staff('infra')).call('listAdminAudit')).status).toBe(403);
    expect(await list({ team_id }, await staff('support'))).not.toEqual([]);
  });

  it('names the staff member who acted, in the admin area and as a user', async () => {
    const user = await server.register();
    const { user_id } = await identityOf(db(), user.email ?? '');
    const support = await staff('support');
    const nameOf = ({ email }: typeof user) => email?.split('@')[0] ?? '';
    const viewed = await support.call('viewAsAdminUser', {
      path: { id: user_id },
      body: { reason: 'Ticket 1' },
    });
    expect(viewed.status).toBe(200);
    const [viewing] = await list({ action: 'user.view_as', actor_user_id: user_id, actor_kind: 'staff' });
    expect(viewing).toMatchObject({ actor: `${nameOf(support)} as ${nameOf(user)}`, actor_kind: 'staff' });
    await admin.call('suspendAdminUser', { path: { id: user_id }, body: { reason: 'Mines coins' } });
    const [suspended] = await list({ action: 'user.suspend', actor_kind: 'staff' });
    expect(suspended).toMatchObject({ actor: nameOf(admin), actor_kind: 'staff', team_id: null });
    // By its name, with the record it leads to.
    expect(suspended).toMatchObject({
      target: nameOf(user),
      target_resource: 'users',
      target_record_id: String(user_id),
    });
  });

  it('names the user who signed in', async () => {
    const user = await server.register();
    const { user_id } = await identityOf(db(), user.email ?? '');
    expect(await list({ action: 'session.create', actor_user_id: user_id })).toMatchObject([
      { actor: user.email?.split('@')[0], actor_kind: 'user' },
    ]);
  });

  it('shows before and after values, and the integrity of entry and chain', async () => {
    const user = await server.register();
    const { team_id } = await identityOf(db(), user.email ?? '');
    await admin.call('updateAdminWorkspace', { path: { id: team_id }, body: { tier: 'team' } });
    const [entry] = await list({ team_id, action: 'team.update' });
    const path = { id: entry?.id ?? 0 };
    const shown = (await admin.call('getAdminAudit', { path })).body as AdminAudit;
    expect(shown).toMatchObject({ actor_kind: 'staff', entry_state: 'intact', chain_state: 'not_checked' });
    expect(JSON.parse(shown.before ?? '')).toEqual({ tier: 'free' });
    const checked = await admin.call('verifyAdminAudit', { path });
    expect(checked.body).toMatchObject({ chain_state: 'intact', chain_broken: null });
    await sql`alter table audit_log disable trigger user`.execute(db());
    await sql`update audit_log set after = '{"tier": "free"}' where id = ${path.id}`.execute(db());
    await sql`alter table audit_log enable trigger user`.execute(db());
    expect((await admin.call('getAdminAudit', { path })).body).toMatchObject({ entry_state: 'broken' });
    expect((await admin.call('verifyAdminAudit', { path })).body).toMatchObject({ chain_state: 'broken' });
    expect((await admin.call('getAdminAudit', { path: { id: 999_999_999 } })).status).toBe(404);
  });
});
