import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, sessionCookieOf } from '../../../testing/server';
import { startOidcProvider } from '../../../testing/oidcProvider';
import { confirmLink, startSsoWorld, type SsoTeam, type SsoWorld } from './testing/world';

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

const settings = async ({ owner, slug }: SsoTeam) =>
  (await owner.call('getSso', { path: { slug } })).body.connection;

describe('the connection', () => {
  it('never returns or stores its secret in plain text', async () => {
    const team = await world.team();
    const { secret, before } = { secret: world.provider.client_secret, before: await settings(team) };
    expect(before).toMatchObject({ has_client_secret: true, issuer: world.provider.issuer });
    const { db } = world.server.services;
    const rows = JSON.stringify([
      await db.selectFrom('sso_connections').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(rows).not.toContain(secret);
    expect(JSON.stringify(before)).not.toContain(secret);
    // A request without the secret keeps it.
    await team.owner.call('putSso', {
      path: { slug: team.slug },
      body: {
        issuer: world.provider.issuer,
        client_id: world.provider.client_id,
        domain: team.domain,
        enforced: false,
        default_role: 'member',
        role_claim: null,
        role_rules: [],
      },
    });
    const callback = await team.signIn({ sub: 'kept', email: `kept@${team.domain}`, email_verified: true });
    expect(callback.location).toBe(`/${team.slug}`);
  });

  it('requires the secret and a new domain proof for another issuer', async () => {
    const team = await world.team({ enforced: true });
    const other = await startOidcProvider({ redirect_uris: ['http://localhost/x'] });
    try {
      const { client_secret: _, ...without } = {
        issuer: other.issuer,
        client_id: 'x',
        client_secret: '',
        domain: team.domain,
        enforced: false,
        default_role: 'viewer' as const,
        role_claim: null,
        role_rules: [],
      };
      const refused = await team.owner.call('putSso', { path: { slug: team.slug }, body: without });
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        422,
        expect.stringContaining('client_secret'),
      ]);
      const before = await settings(team);
      expect((await team.put({ issuer: other.issuer, enforced: true })).status).toBe(409);
      expect((await team.put({ issuer: other.issuer, enforced: false })).status).toBe(200);
      const after = await settings(team);
      expect(after).toMatchObject({ domain_verified_at: null, enforced: false });
      expect(after?.txt_value).not.toBe(before?.txt_value);
    } finally {
      await other.close();
    }
  });

  it.each([
    [{ issuer: 'http://10.0.0.1' }, 'issuer'],
    [{ issuer: 'https://169.254.169.254' }, 'issuer'],
    [{ issuer: 'https://user:pw@idp.test' }, 'issuer'],
    [{ issuer: 'https://no-such-host.invalid' }, 'issuer'],
    [{ issuer: 'http://127.0.0.1:1/?x=1' }, 'issuer'],
    [{ domain: 'gmail.com' }, 'domain'],
    [{ domain: 'localhost' }, 'domain'],
    [{ domain: 'corp.test/x' }, 'domain'],
    [{ role_claim: null, role_rules: [{ value: 'a', role: 'admin' as const }] }, 'role_claim'],
    [{ default_role: 'owner' as never }, 'default_role'],
    [{ role_rules: [{ value: 'a', role: 'owner' as never }] }, 'role'],
  ])('is rejected with %j', async (change, field) => {
    const team = await world.team({ verify: false });
    const before = await settings(team);
    const answer = await team.put(change);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(field);
    expect(await settings(team)).toEqual(before);
  });

  it('is not accessible to members, other teams and anonymous callers', async () => {
    const team = await world.team({ default_role: 'member' });
    const callback = await team.signIn({ sub: 'plain', email: `plain@${team.domain}`, email_verified: true });
    const stranger = await world.server.register();
    const path = { slug: team.slug };
    for (const id of ['getSso', 'deleteSso', 'verifySsoDomain', 'testSso'] as const) {
      const body = id === 'testSso' ? { body: {} } : {};
      expect((await callback.client!.call(id, { path, ...body })).status).toBe(403);
      expect((await stranger.call(id, { path, ...body })).status).toBe(404);
      expect((await world.server.anonymous.call(id, { path, ...body })).status).toBe(401);
    }
    expect(await settings(team)).not.toBeNull();
  });

  it('is removed with its sessions, while members stay', async () => {
    const team = await world.team({ enforced: true });
    const callback = await team.signIn({ sub: 'stay', email: `stay@${team.domain}`, email_verified: true });
    expect((await team.owner.call('deleteSso', { path: { slug: team.slug } })).status).toBe(204);
    expect(await settings(team)).toBeNull();
    expect((await team.owner.call('deleteSso', { path: { slug: team.slug } })).status).toBe(404);
    expect((await world.server.anonymous.call('startSso', { body: { team_slug: team.slug } })).status).toBe(
      404,
    );
    expect((await callback.client!.call('getSession')).body.user).toBeNull();
    expect(await team.role(`stay@${team.domain}`)).toBe('viewer');
  });

  it('is discovered by a verified email domain, with or without an account', async () => {
    const team = await world.team({ verify: false });
    const find = async (email: string) =>
      (await world.server.anonymous.call('discoverSso', { body: { email } })).body;
    expect(await find(`anybody@${team.domain}`)).toEqual({ connection: null });
    await team.publish();
    await team.owner.call('verifySsoDomain', { path: { slug: team.slug } });
    const found = await find(`anybody@${team.domain.toUpperCase()}`);
    expect(found).toMatchObject({ connection: { id: expect.stringMatching(/^sso_/) as string } });
    expect(await find(`anybody@sub.${team.domain}`)).toEqual({ connection: null });
    expect(await find('anybody@gmail.com')).toEqual({ connection: null });
  });
});

describe('the domain proof', () => {
  it('shows the DNS records found and the expected one', async () => {
    const team = await world.team({ verify: false });
    const verify = async () => (await team.owner.call('verifySsoDomain', { path: { slug: team.slug } })).body;
    const name = `_teehouse-challenge.${team.domain}`;
    expect(await verify()).toMatchObject({
      verified: false,
      name,
      found: [],
      problem: expect.stringContaining(name) as string,
    });
    world.dns.txt.set(name, [['v=spf1 -all'], ['teehouse-verification=', 'value-of-another-team']]);
    expect(await verify()).toMatchObject({
      verified: false,
      found: ['v=spf1 -all', 'teehouse-verification=value-of-another-team'],
    });
    await team.publish();
    const good = await verify();
    expect(good).toMatchObject({ verified: true, problem: null });
    expect((good as { found: string[]; wanted: string }).found).toContain(
      (good as { wanted: string }).wanted,
    );
    expect((await settings(team))?.domain_verified_at).not.toBeNull();
  });

  it('reports that DNS does not respond', async () => {
    const team = await world.team({ verify: false });
    world.dns.silent = true;
    try {
      const { body } = await team.owner.call('verifySsoDomain', { path: { slug: team.slug } });
      expect(body).toMatchObject({
        verified: false,
        problem: expect.stringContaining("didn't respond") as string,
      });
    } finally {
      world.dns.silent = false;
    }
  });

  it('succeeds for one team when several claim the domain', async () => {
    const first = await world.team({ verify: false, domain: 'shared.test' });
    const second = await world.team({ verify: false, domain: 'shared.test' });
    const txt = await Promise.all([settings(first), settings(second)]);
    world.dns.txt.set(
      '_teehouse-challenge.shared.test',
      txt.map((one) => [one?.txt_value ?? '']),
    );
    const answers = await Promise.all(
      [first, second].map(({ owner, slug }) => owner.call('verifySsoDomain', { path: { slug } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('testing a provider', () => {
  it('reports each step', async () => {
    const team = await world.team({ verify: false });
    const test = async (body: object) =>
      (await team.owner.call('testSso', { path: { slug: team.slug }, body })).body as {
        ok: boolean;
        steps: { ok: boolean; detail: string }[];
      };
    expect(await test({})).toMatchObject({ ok: true, steps: Array(5).fill({ ok: true }) as object[] });
    const inside = await test({ issuer: 'https://10.0.0.1' });
    expect(inside).toMatchObject({
      ok: false,
      steps: [{ ok: false, detail: expect.stringContaining('private') as string }],
    });
    // The longest valid issuer: its details are cut to what the schema allows.
    const long = await test({ issuer: `https://10.0.0.1/${'a'.repeat(1980)}` });
    expect(long).toMatchObject({ ok: false });
    const mismatch = await test({ issuer: world.provider.issuer.replace('127.0.0.1', 'localhost') });
    expect(mismatch.steps.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('rejects host names that are too long', async () => {
    const team = await world.team({ verify: false });
    for (const issuer of [`https://${'a'.repeat(254)}`, `https://${'a.'.repeat(900)}example`])
      expect(await team.owner.call('testSso', { path: { slug: team.slug }, body: { issuer } })).toMatchObject(
        { status: 422, body: { details: [{ field: 'issuer' }] } },
      );
  });

  it('reports an unreachable provider, at sign-in as well', async () => {
    const gone = await startOidcProvider({ redirect_uris: ['http://localhost/x'] });
    const team = await world.team({ issuer: gone.issuer });
    await gone.close();
    const { body } = await team.owner.call('testSso', { path: { slug: team.slug }, body: {} });
    expect(body).toMatchObject({ ok: false, steps: [{ ok: false }] });
    expect((await settings(team))?.last_error).toContain("isn't responding");
    const start = await world.server.anonymous.call('startSso', { body: { team_slug: team.slug } });
    expect([start.status, JSON.stringify(start.body)]).toEqual([
      401,
      expect.stringContaining("isn't responding"),
    ]);
    // A failing connection can't be required.
    expect((await team.put({ issuer: gone.issuer, enforced: true })).status).toBe(409);
  });
});

describe('enforced single sign-on', () => {
  const inTeam = (client: { call: SsoTeam['owner']['call'] }, slug: string) =>
    client
      .call('getWorkspace', { path: { slug } })
      .then(({ status, body }) => [status, JSON.stringify(body)] as const);

  it('rejects other sessions from the next request, except those of guests and owners', async () => {
    const team = await world.team({ default_role: 'member' });
    const { db } = world.server.services;
    const { id: team_id } = await db
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', team.slug)
      .executeTakeFirstOrThrow();
    const join = async (email: string, role: 'member' | 'owner') => {
      const client = await world.server.register(email);
      const { id } = await db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      await db.insertInto('memberships').values({ team_id, user_id: id, role }).execute();
      return client;
    };
    const insider = await join(`insider@${team.domain}`, 'member');
    const guest = await join('guest@elsewhere.test', 'member');
    const breakGlass = await join(`boss@${team.domain}`, 'owner');
    const through = await team.signIn({ sub: 'thru', email: `thru@${team.domain}`, email_verified: true });
    expect((await inTeam(insider, team.slug))[0]).toBe(200);

    expect((await team.put({ enforced: true })).status).toBe(200);
    expect(await inTeam(insider, team.slug)).toEqual([403, expect.stringContaining('ERR-00-033')]);
    for (const client of [guest, breakGlass, through.client!, team.owner])
      expect((await inTeam(client, team.slug))[0]).toBe(200);
    // Their own team is unaffected, and the team list says what is missing.
    expect((await inTeam(insider, insider.slug!))[0]).toBe(200);
    const { body } = await insider.call('getSession');
    expect(body.teams.find(({ slug }) => slug === team.slug)?.refused).toBe('sso');
    expect(body.teams.find(({ slug }) => slug === insider.slug)?.refused).toBeNull();

    // Only the provider gives access; changing the account's address doesn't.
    const identity = { sub: 'insider', email: insider.email!, email_verified: true };
    expect((await confirmLink(insider, await team.signIn(identity))).status).toBe(200);
    const again = await team.signIn(identity);
    expect((await inTeam(again.client!, team.slug))[0]).toBe(200);
    const [changed] = await db
      .updateTable('users')
      .set({ email: 'thru@private.test', email_verified_at: new Date() })
      .where('email', '=', `thru@${team.domain}`)
      .returning('id')
      .execute();
    const { hashPassword } = await import('../../../domain/accounts/password');
    await db
      .updateTable('users')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('id', '=', changed!.id)
      .execute();
    const password = await world.server.anonymous.call('createSession', {
      body: { email: 'thru@private.test', password: PASSWORD },
    });
    const freed = world.server.anonymous.with({ cookie: sessionCookieOf(password) ?? '' });
    expect((await inTeam(freed, team.slug))[0]).toBe(403);

    expect((await team.put({ enforced: false })).status).toBe(200);
    expect((await inTeam(insider, team.slug))[0]).toBe(200);
  });

  it('requires a verified domain', async () => {
    const team = await world.team({ verify: false });
    const refused = await team.put({ enforced: true });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      409,
      expect.stringContaining('ERR-00-041'),
    ]);
  });
});

it('records every change in the audit log', async () => {
  const team = await world.team({ default_role: 'member' });
  await team.signIn({ sub: 'audited', email: `audited@${team.domain}`, email_verified: true });
  await team.owner.call('deleteSso', { path: { slug: team.slug } });
  const { db } = world.server.services;
  const rows = await db
    .selectFrom('audit_log as a')
    .innerJoin('teams as t', 't.id', 'a.team_id')
    .select(['a.action', 'a.after'])
    .where('t.slug', '=', team.slug)
    .orderBy('a.id')
    .execute();
  const actions = rows.map(({ action }) => action);
  for (const action of [
    'sso.create',
    'sso.verify_domain',
    'user.register',
    'member.add',
    'session.create',
    'sso.delete',
  ])
    expect(actions).toContain(action);
  expect(rows.find(({ action }) => action === 'sso.create')?.after).toMatchObject({ client_secret: '•••' });
});
