import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, sessionCookieOf } from '../../testing/server';
import { startOidcProvider } from '../../testing/oidcProvider';
import { startSsoWorld, type SsoTeam, type SsoWorld } from './testing/world';

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

const settings = async ({ owner, slug }: SsoTeam) =>
  (await owner.call('getSso', { path: { slug } })).body.connection;

describe('the connection', () => {
  it('keeps its secret to itself', async () => {
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
    // Left out it stays; the provider still accepts us.
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
    const arrival = await team.signIn({ sub: 'kept', email: `kept@${team.domain}`, email_verified: true });
    expect(arrival.location).toBe(`/${team.slug}`);
  });

  it('sends a secret to no issuer it was not given for, and needs a new proof for another issuer', async () => {
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
  ])('is refused with %j', async (change, field) => {
    const team = await world.team({ verify: false });
    const before = await settings(team);
    const answer = await team.put(change);
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain(field);
    expect(await settings(team)).toEqual(before);
  });

  it('is not for members, other teams and tokens', async () => {
    const team = await world.team({ default_role: 'member' });
    const arrival = await team.signIn({ sub: 'plain', email: `plain@${team.domain}`, email_verified: true });
    const stranger = await world.server.register();
    const path = { slug: team.slug };
    for (const id of ['getSso', 'deleteSso', 'verifySsoDomain', 'testSso'] as const) {
      const body = id === 'testSso' ? { body: {} } : {};
      expect((await arrival.client!.call(id, { path, ...body })).status).toBe(403);
      expect((await stranger.call(id, { path, ...body })).status).toBe(404);
      expect((await world.server.anonymous.call(id, { path, ...body })).status).toBe(401);
    }
    expect(await settings(team)).not.toBeNull();
  });

  it('goes, and with it what it enforced and who may come in', async () => {
    const team = await world.team({ enforced: true });
    const arrival = await team.signIn({ sub: 'stay', email: `stay@${team.domain}`, email_verified: true });
    expect((await team.owner.call('deleteSso', { path: { slug: team.slug } })).status).toBe(204);
    expect(await settings(team)).toBeNull();
    expect((await team.owner.call('deleteSso', { path: { slug: team.slug } })).status).toBe(404);
    expect((await world.server.anonymous.call('startSso', { body: { team_slug: team.slug } })).status).toBe(
      404,
    );
    // The member stays.
    expect((await arrival.client!.call('getWorkspace', { path: { slug: team.slug } })).status).toBe(200);
  });

  it('is found by the domain of an address, once verified, whether or not the address has an account', async () => {
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

describe('the proof of the domain', () => {
  it('shows what DNS answered beside what is wanted', async () => {
    const team = await world.team({ verify: false });
    const verify = async () => (await team.owner.call('verifySsoDomain', { path: { slug: team.slug } })).body;
    const name = `_teehouse-challenge.${team.domain}`;
    expect(await verify()).toMatchObject({
      verified: false,
      name,
      found: [],
      problem: expect.stringContaining(name) as string,
    });
    world.dns.txt.set(name, [['v=spf1 -all'], ['teehouse-verification=', 'somebody-elses']]);
    expect(await verify()).toMatchObject({
      verified: false,
      found: ['v=spf1 -all', 'teehouse-verification=somebody-elses'],
    });
    await team.publish();
    const good = await verify();
    expect(good).toMatchObject({ verified: true, problem: null });
    expect((good as { found: string[]; wanted: string }).found).toContain(
      (good as { wanted: string }).wanted,
    );
    expect((await settings(team))?.domain_verified_at).not.toBeNull();
  });

  it('says when DNS does not answer', async () => {
    const team = await world.team({ verify: false });
    world.dns.silent = true;
    try {
      const { body } = await team.owner.call('verifySsoDomain', { path: { slug: team.slug } });
      expect(body).toMatchObject({
        verified: false,
        problem: expect.stringContaining('did not answer') as string,
      });
    } finally {
      world.dns.silent = false;
    }
  }, 20_000);

  it('is one team’s, however many claim the domain', async () => {
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

describe('the check of a provider', () => {
  it('goes step by step', async () => {
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
    const mismatch = await test({ issuer: world.provider.issuer.replace('127.0.0.1', 'localhost') });
    expect(mismatch.steps.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('of a provider that is gone says so, and who signs in is told', async () => {
    const gone = await startOidcProvider({ redirect_uris: ['http://localhost/x'] });
    const team = await world.team({ issuer: gone.issuer });
    await gone.close();
    const { body } = await team.owner.call('testSso', { path: { slug: team.slug }, body: {} });
    expect(body).toMatchObject({ ok: false, steps: [{ ok: false }] });
    expect((await settings(team))?.last_error).toContain('does not answer');
    const start = await world.server.anonymous.call('startSso', { body: { team_slug: team.slug } });
    expect([start.status, JSON.stringify(start.body)]).toEqual([
      401,
      expect.stringContaining('does not answer'),
    ]);
    // What does not work is not required.
    expect((await team.put({ issuer: gone.issuer, enforced: true })).status).toBe(409);
  });
});

describe('where it is required', () => {
  const inTeam = (client: { call: SsoTeam['owner']['call'] }, slug: string) =>
    client
      .call('getWorkspace', { path: { slug } })
      .then(({ status, body }) => [status, JSON.stringify(body)] as const);

  it('another session is refused from the next request on; one through the provider, guests and owners are not', async () => {
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
    // Their own team is their own affair, and the list of teams says what is missing.
    expect((await inTeam(insider, insider.slug!))[0]).toBe(200);
    const { body } = await insider.call('getSession');
    expect(body.teams.find(({ slug }) => slug === team.slug)?.refused).toBe('sso');
    expect(body.teams.find(({ slug }) => slug === insider.slug)?.refused).toBeNull();

    // The way in is the provider; a new address in the account is none.
    const again = await team.signIn({ sub: 'insider', email: insider.email!, email_verified: true });
    expect((await inTeam(again.client!, team.slug))[0]).toBe(200);
    const [changed] = await db
      .updateTable('users')
      .set({ email: 'thru@private.test', email_verified_at: new Date() })
      .where('email', '=', `thru@${team.domain}`)
      .returning('id')
      .execute();
    const { hashPassword } = await import('../../domain/password');
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

  it('needs the proof of the domain first', async () => {
    const team = await world.team({ verify: false });
    const refused = await team.put({ enforced: true });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      409,
      expect.stringContaining('ERR-00-041'),
    ]);
  });
});

it('leaves a line in the audit log for everything that changed', async () => {
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
