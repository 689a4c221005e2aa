import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockFunds } from '../../db/billing/holds';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../../testing/cvmFixtures';
import { mailsTo } from '../../testing/mail';
import { lockRace } from '../../testing/lockRace';
import { PASSWORD, startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const db = () => server.services.db;
const remove = (client: TestClient, email = client.email) =>
  client.call('deleteAccount', { body: { email } });
const join = async (client: TestClient, slug: string, role: 'member' | 'owner') => {
  const { user_id } = await identityOf(db(), client.email ?? '');
  const { id: team_id } = await teamOf(slug);
  await db()
    .insertInto('memberships')
    .values({ team_id, user_id, role, is_default: false, last_seen_at: null })
    .execute();
};
const teamOf = (slug: string) =>
  db().selectFrom('teams').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow();

describe('deleteAccount', () => {
  it('waits for a deployment that the user just started', async () => {
    const dora = await server.register('dora@example.test');
    const { user_id, team_id } = await identityOf(db(), 'dora@example.test');
    const host = await insertHost(db());
    const done = await lockRace(db(), (trx) => lockFunds(trx, team_id), {
      request: () => remove(dora),
      meanwhile: (trx) => insertApp(trx, { team_id, user_id, host, name: 'last-minute' }),
    });
    expect(done.status, JSON.stringify(done.body)).toBe(204);
  });

  it('erases the user and teams without other members, and revokes all access', async () => {
    const anna = await server.register('anna@example.test');
    const { user_id, team_id } = await identityOf(db(), 'anna@example.test');
    const token = server.anonymous.with({ 'x-api-key': await insertToken(db(), { user_id, team_id }) });
    await anna.call('createSshKey', {
      body: { name: 'laptop', public_key: `ssh-ed25519 ${ED25519} anna@laptop` },
    });
    await anna.call('updateAccount', { body: { username: 'Anna Lind' } });
    await anna.call('requestEmailChange', { body: { email: 'anna@new.test' } });
    await server.anonymous.call('requestPasswordReset', { body: { email: 'anna@example.test' } });
    expect((await token.call('getCurrentUser')).status).toBe(200);

    const done = await remove(anna);
    expect(done.status, JSON.stringify(done.body)).toBe(204);
    expect(done.headers.getSetCookie()[0]).toMatch(/^teehouse_session=; .*Max-Age=0/);
    expect((await anna.call('getSession')).body.user).toBeNull();
    expect((await token.call('getCurrentUser')).status).toBe(401);
    const body = { email: 'anna@example.test', password: PASSWORD };
    expect((await server.anonymous.call('createSession', { body })).status).toBe(401);
    const row = await db()
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user_id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      state: 'deleted',
      username: 'Deleted user',
      password_hash: null,
      platform_role: null,
    });
    expect((await teamOf('anna')).deleted_at).not.toBeNull();
    for (const table of ['sessions', 'ssh_keys', 'mail_links', 'email_changes', 'memberships'] as const)
      expect(await db().selectFrom(table).select('user_id').where('user_id', '=', user_id).execute()).toEqual(
        [],
      );
    const named = await db().selectFrom('users').select(['email', 'username']).execute();
    expect(JSON.stringify(named)).not.toMatch(/anna/i);
    const mails = await mailsTo(server.services, 'anna@example.test');
    expect(mails.map(({ template }) => template)).toEqual(['account_deleted']);
    expect(await mailsTo(server.services, 'anna@new.test')).toEqual([]);
    // The address is available again.
    await server.register('anna@example.test');
  });

  it('is rejected, listing every blocking team, until none is left', async () => {
    const bob = await server.register('bob@example.test');
    const cara = await server.register('cara@example.test');
    await bob.call('createWorkspace', { body: { name: 'Bakery', slug: 'bakery' } });
    await join(cara, 'bakery', 'member');
    const { user_id, team_id } = await identityOf(db(), 'bob@example.test');
    const host = await insertHost(db(), { name: 'box' });
    const { app, revision } = await insertApp(db(), { user_id, team_id, host, name: 'shop' });
    const cvm = await insertCvm(db(), { app, revision, host, user_id });

    const refused = await remove(bob);
    expect(refused).toMatchObject({ status: 409, body: { code: 'ERR-00-038' } });
    const { details } = (
      refused.body as unknown as { detail: { details: { message: string; value: { slug: string } }[] } }
    ).detail;
    expect(details.map(({ value }) => value.slug)).toEqual(['bakery', 'bob']);
    expect(details[0]?.message).toContain('only owner');
    expect(details[1]?.message).toContain('a CVM');
    expect((await bob.call('getAccount')).body.email).toBe('bob@example.test');

    await db()
      .updateTable('memberships')
      .set({ role: 'owner' })
      .where('team_id', '=', (await teamOf('bakery')).id)
      .execute();
    expect(await remove(bob)).toMatchObject({ status: 409, body: { code: 'ERR-00-015' } });
    await db().updateTable('cvms').set({ deleted_at: new Date() }).where('id', '=', cvm.id).execute();
    expect((await remove(bob)).status).toBe(204);
    // A team with another owner remains.
    expect((await teamOf('bakery')).deleted_at).toBeNull();
    expect((await cara.call('getWorkspace', { path: { slug: 'bakery' } })).status).toBe(200);
  });

  it('keeps at least one platform admin who can sign in, under concurrent deletions', async () => {
    const one = await server.register('root@example.test');
    const two = await server.register('admin@example.test');
    const setAdmins = async (...emails: string[]) => {
      await db()
        .updateTable('users')
        .set({ platform_role: null })
        .where('state', '<>', 'suspended')
        .execute();
      await db().updateTable('users').set({ platform_role: 'admin' }).where('email', 'in', emails).execute();
    };
    // A suspended user can't undo it.
    await server.register('away@example.test');
    await db()
      .updateTable('users')
      .set({ platform_role: 'admin', state: 'suspended' })
      .where('email', '=', 'away@example.test')
      .execute();
    await setAdmins('root@example.test');
    const refused = await remove(one);
    expect(refused).toMatchObject({ status: 409, body: { code: 'ERR-08-002' } });
    expect(JSON.stringify(refused.body)).toContain('only platform admin');
    expect((await one.call('getAccount')).status).toBe(200);
    await setAdmins('root@example.test', 'admin@example.test');
    const answers = await Promise.all([remove(one), remove(two)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const left = await db()
      .selectFrom('users')
      .select('id')
      .where('platform_role', '=', 'admin')
      .where('state', '=', 'active')
      .execute();
    expect(left).toHaveLength(1);
  });

  it('requires the typed email address, a recent confirmation and a session', async () => {
    const dan = await server.register('dan@example.test');
    expect((await remove(dan, 'dna@example.test')).status).toBe(422);
    const token = await insertToken(db(), await identityOf(db(), 'dan@example.test'));
    const byToken = server.anonymous.with({ 'x-api-key': token });
    expect((await remove(byToken, 'dan@example.test')).status).toBe(403);
    await db()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
      .execute();
    expect(await remove(dan)).toMatchObject({ status: 403, body: { code: 'ERR-00-031' } });
    expect(
      (await server.anonymous.call('deleteAccount', { body: { email: 'dan@example.test' } })).status,
    ).toBe(401);
    expect((await dan.call('getAccount')).status).toBe(200);
  });
});

const ED25519 = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ5X8c7tJ0k8h1bJrQm3m1o0xW4k4mYt2nq8s3g6l2uN';
