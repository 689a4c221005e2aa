import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderAccount } from '../../testing/oidcProvider';
import { PASSWORD } from '../../testing/server';
import { arrive, begin, startSsoWorld, type SsoWorld } from './testing/world';

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

let count = 0;
const person = (domain: string, more: object = {}) => {
  const sub = `sub-${++count}`;
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: 'Ada Lovelace', ...more };
};
const users = (email: string) =>
  world.server.services.db.selectFrom('users').selectAll().where('email', '=', email).execute();

describe('a person of the domain', () => {
  it('gets an account without a password, the role of the rules, and lands in the team', async () => {
    const team = await world.team({
      role_claim: 'groups',
      role_rules: [
        { value: 'ops', role: 'admin' },
        { value: 'dev', role: 'member' },
      ],
    });
    const ada = person(team.domain, { groups: ['dev'] });
    const arrival = await team.signIn(ada);
    expect(arrival).toMatchObject({ status: 302, location: `/${team.slug}` });
    const session = await arrival.client!.call('getSession');
    expect(session.body).toMatchObject({
      user: { email: ada.email, username: 'Ada Lovelace', email_verified: true },
      teams: [{ slug: team.slug, role: 'member', refused: null, is_default: true }],
    });
    expect((await users(ada.email))[0]).toMatchObject({ password_hash: null, platform_role: null });
    const password = await world.server.anonymous.call('createSession', {
      body: { email: ada.email, password: '' },
    });
    expect(password.status).not.toBe(201);
    // The cookie of the sign-in has done its work.
    expect(arrival.set.find((one) => one.startsWith('teehouse_sso='))).toMatch(/^teehouse_sso=; .*Max-Age=0/);
  });

  it('has one account however often, and however many at once', async () => {
    const team = await world.team();
    const ada = person(team.domain);
    const arrivals = await Promise.all([team.signIn(ada), team.signIn(ada), team.signIn(ada)]);
    expect(arrivals.map(({ location }) => location)).toEqual(Array(3).fill(`/${team.slug}`));
    expect(await users(ada.email)).toHaveLength(1);
  });

  it('has the role brought in step at each sign-in, but never an owner', async () => {
    const team = await world.team({ role_claim: 'groups', role_rules: [{ value: 'ops', role: 'admin' }] });
    const ada = person(team.domain, { groups: ['ops'] });
    await team.signIn(ada);
    expect(await team.role(ada.email)).toBe('admin');
    await team.signIn({ ...ada, groups: [] });
    expect(await team.role(ada.email)).toBe('viewer');
    await world.server.services.db
      .updateTable('memberships')
      .set({ role: 'owner' })
      .where('user_id', '=', (await users(ada.email))[0]!.id)
      .execute();
    await team.signIn({ ...ada, groups: ['ops'] });
    expect(await team.role(ada.email)).toBe('owner');
  });

  it('keeps the role that people gave to a member who was there before', async () => {
    const team = await world.team({ default_role: 'viewer' });
    const before = await world.server.register(`early@${team.domain}`);
    const [user] = await users(`early@${team.domain}`);
    const { id } = await world.server.services.db
      .selectFrom('teams')
      .select('id')
      .where('slug', '=', team.slug)
      .executeTakeFirstOrThrow();
    await world.server.services.db
      .insertInto('memberships')
      .values({ team_id: id, user_id: user!.id, role: 'admin' })
      .execute();
    await team.signIn({ sub: 'early', email: before.email!, email_verified: true });
    expect(await team.role(before.email!)).toBe('admin');
  });

  it('is known by the subject: a changed address leads to the same account, and to nobody else’s', async () => {
    const team = await world.team();
    const ada = person(team.domain);
    const bob = person(team.domain);
    await team.signIn(ada);
    await team.signIn(bob);
    const renamed = await team.signIn({ ...ada, email: bob.email });
    expect((await renamed.client!.call('getSession')).body.user?.email).toBe(ada.email);
    // And an address that went to somebody new at the provider does not bring the account with it.
    const heir = await team.signIn({ ...person(team.domain), email: bob.email });
    expect(heir).toMatchObject({ location: '/login?sso_error=other_person', client: null });
  });

  it('with an account of that address keeps it, its teams and its password', async () => {
    const team = await world.team();
    const email = `known@${team.domain}`;
    const known = await world.server.register(email);
    const arrival = await team.signIn({ sub: 'known', email, email_verified: true });
    const { body } = await arrival.client!.call('getSession');
    expect(body.teams.map(({ slug }) => slug).sort()).toEqual([known.slug, team.slug].sort());
    const again = await world.server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
    expect(again.status).toBe(201);
  });

  it('takes an account over that somebody else registered with the address and never confirmed', async () => {
    const team = await world.team();
    const email = `squatted@${team.domain}`;
    const squatter = await world.server.register(email);
    const { db } = world.server.services;
    await db.updateTable('users').set({ email_verified_at: null }).where('email', '=', email).execute();
    expect((await squatter.call('getSession')).body.user?.email).toBe(email);
    const arrival = await team.signIn({ sub: 'squatted', email, email_verified: true });
    expect(arrival.client).not.toBeNull();
    expect((await squatter.call('getSession')).body.user).toBeNull();
    const password = await world.server.anonymous.call('createSession', {
      body: { email, password: PASSWORD },
    });
    expect(password.status).toBe(401);
  });

  it('is still asked for the second factor they have', async () => {
    const team = await world.team();
    const ada = person(team.domain);
    await team.signIn(ada);
    const { db } = world.server.services;
    await db
      .updateTable('users')
      .set({ second_factor_at: new Date() })
      .where('email', '=', ada.email)
      .execute();
    const arrival = await team.signIn(ada, { next: `/${team.slug}/members` });
    expect(arrival).toMatchObject({
      status: 302,
      location: `/two-factor?next=${encodeURIComponent(`/${team.slug}/members`)}`,
      client: null,
    });
    const waiting = arrival.set.find((one) => /teehouse_sign_in=[^;]/.test(one));
    expect(waiting).toBeDefined();
    const pending = await db
      .selectFrom('pending_sign_ins')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(pending).toMatchObject({ auth_method: 'sso', sso_connection_id: expect.any(Number) as number });
  });
});

describe('nobody comes in', () => {
  it.each([
    ['of another domain', { email: 'ada@elsewhere.test' }, 'other_domain'],
    ['of a subdomain', { email: 'ada@sub.DOMAIN' }, 'other_domain'],
    ['whose address only ends like it', { email: 'ada@evilDOMAIN' }, 'other_domain'],
    ['with two addresses in one', { email: 'ada@DOMAIN@elsewhere.test' }, 'other_domain'],
    ['whose address is not verified', { email_verified: false }, 'email_unverified'],
    ['whose address is called unverified in words', { email_verified: 'false' }, 'email_unverified'],
    ['without an address', { email: '' }, 'no_email'],
  ] as [string, Partial<ProviderAccount>, string][])('%s', async (_who, change, reason) => {
    const team = await world.team();
    const ada: ProviderAccount = { ...person(team.domain), ...change };
    if (ada.email) ada.email = ada.email.replace('DOMAIN', team.domain);
    expect(await team.signIn(ada)).toMatchObject({ location: `/login?sso_error=${reason}`, client: null });
    expect(await users(ada.email ?? '')).toEqual([]);
  });

  it('before the domain is verified, and after it is another', async () => {
    const team = await world.team({ verify: false });
    const start = () => world.server.anonymous.call('startSso', { body: { team_slug: team.slug } });
    expect((await start()).status).toBe(404);
    await team.publish();
    await team.owner.call('verifySsoDomain', { path: { slug: team.slug } });
    const begun = await begin(world.server.anonymous, team.slug);
    const ada = person(team.domain);
    world.provider.accounts.set(ada.sub, ada);
    const back = await world.provider.signIn(begun.url, ada.sub);
    // The domain changes while the person is at the provider.
    await team.put({ domain: `new-${team.domain}` });
    expect(await arrive(world.server, back, [begun.cookie])).toMatchObject({
      location: '/login?sso_error=unavailable',
      client: null,
    });
    expect((await start()).status).toBe(404);
  });

  it('who is suspended', async () => {
    const team = await world.team();
    const ada = person(team.domain);
    await team.signIn(ada);
    const { db } = world.server.services;
    await db.updateTable('users').set({ state: 'suspended' }).where('email', '=', ada.email).execute();
    expect(await team.signIn(ada)).toMatchObject({
      location: '/login?sso_error=account_closed',
      client: null,
    });
  });

  it('who pressed cancel at the provider, and the connection is not called broken for it', async () => {
    const team = await world.team();
    expect(await team.signIn(null)).toMatchObject({ location: '/login?sso_error=denied', client: null });
    const { body } = await team.owner.call('getSso', { path: { slug: team.slug } });
    expect(body.connection?.last_error).toBeNull();
  });

  it('with an ID token for somebody else’s client, and an admin reads why', async () => {
    const team = await world.team();
    world.provider.tamper = (claims) => ({ ...claims, aud: 'another-client' });
    const arrival = await team.signIn(person(team.domain));
    world.provider.tamper = null;
    expect(arrival).toMatchObject({ location: '/login?sso_error=rejected', client: null });
    const { body } = await team.owner.call('getSso', { path: { slug: team.slug } });
    expect(body.connection?.last_error).toContain('not for this sign-in');
    await team.signIn(person(team.domain));
    const after = await team.owner.call('getSso', { path: { slug: team.slug } });
    expect(after.body.connection).toMatchObject({
      last_error: null,
      last_sign_in_at: expect.any(String) as string,
    });
  });
});

describe('an answer counts', () => {
  const prepared = async () => {
    const team = await world.team();
    const ada = person(team.domain);
    world.provider.accounts.set(ada.sub, ada);
    const begun = await begin(world.server.anonymous, team.slug);
    const back = await world.provider.signIn(begun.url, ada.sub);
    return { team, ada, begun, back };
  };
  const expired = { status: 302, location: '/login?sso_error=expired', client: null };

  it('once', async () => {
    const { begun, back } = await prepared();
    expect((await arrive(world.server, back, [begun.cookie])).client).not.toBeNull();
    expect(await arrive(world.server, back, [begun.cookie])).toMatchObject(expired);
  });

  it('in the browser that began only: nobody is signed in to somebody else’s account', async () => {
    const first = await prepared();
    expect(await arrive(world.server, first.back, [])).toMatchObject(expired);
    const second = await prepared();
    const other = await begin(world.server.anonymous, second.team.slug);
    expect(await arrive(world.server, second.back, [other.cookie])).toMatchObject(expired);
    expect(await users(first.ada.email)).toEqual([]);
    expect(await users(second.ada.email)).toEqual([]);
  });

  it('with the state it was begun with', async () => {
    const { begun, back } = await prepared();
    for (const state of ['', 'wrong', undefined]) {
      const changed = new URL(back);
      if (state === undefined) changed.searchParams.delete('state');
      else changed.searchParams.set('state', state);
      expect(await arrive(world.server, changed, [begun.cookie])).toMatchObject(expired);
    }
    // Another sign-in's state, in the same browser, does not fit this code either.
    const other = await begin(world.server.anonymous, (await world.team()).slug);
    const crossed = new URL(back);
    crossed.searchParams.set('state', new URL(other.url).searchParams.get('state') ?? '');
    expect((await arrive(world.server, crossed, [other.cookie])).client).toBeNull();
  });

  it('for ten minutes', async () => {
    const { begun, back } = await prepared();
    await world.server.services.db
      .updateTable('sso_sign_ins')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(await arrive(world.server, back, [begun.cookie])).toMatchObject(expired);
  });

  it('with a cookie that scripts cannot read and a fresh value each time', async () => {
    const team = await world.team();
    const one = await begin(world.server.anonymous, team.slug);
    const two = await begin(world.server.anonymous.with({ cookie: one.cookie }), team.slug);
    expect(one.set).toMatch(/^teehouse_sso=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(two.cookie).not.toBe(one.cookie);
    const kept = JSON.stringify(
      await world.server.services.db.selectFrom('sso_sign_ins').selectAll().execute(),
    );
    const state = new URL(two.url).searchParams.get('state') ?? '';
    expect(kept).not.toContain(state);
    expect(kept).not.toContain(two.cookie.split('=')[1]);
  });
});

it.each([
  '//evil.test',
  'https://evil.test',
  '/\\evil.test',
  '/%09/evil.test',
  'javascript:alert(1)',
  '/.//evil.test',
  '/login',
  '',
])('afterwards one is on this site, whatever was asked for: %s', async (next) => {
  const team = await world.team();
  const { location } = await team.signIn(person(team.domain), { next });
  expect(location).toBe(`/${team.slug}`);
  expect(new URL(location, 'http://here.test').origin).toBe('http://here.test');
});

it('afterwards one is where one wanted to go', async () => {
  const team = await world.team();
  const next = `/${team.slug}/cvms?status=running#top`;
  expect((await team.signIn(person(team.domain), { next })).location).toBe(next);
});

it('takes the place of the session the browser had', async () => {
  const team = await world.team();
  const before = await world.server.register();
  const arrival = await team.signIn(person(team.domain), { from: before });
  expect(arrival.client).not.toBeNull();
  expect((await before.call('getSession')).body.user).toBeNull();
});
