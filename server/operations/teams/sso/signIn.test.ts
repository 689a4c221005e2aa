import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderAccount } from '../../../testing/oidcProvider';
import { PASSWORD } from '../../../testing/server';
import { arrive, begin, confirmLink, startSsoWorld, type SsoWorld } from './testing/world';

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

let count = 0;
const newIdentity = (domain: string, more: object = {}) => {
  const sub = `sub-${++count}`;
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: 'Ada Lovelace', ...more };
};
const users = (email: string) =>
  world.server.services.db.selectFrom('users').selectAll().where('email', '=', email).execute();

it('creates no account when registration is off, but does when it is invite-only', async () => {
  const { config } = world.server.services as { config: { registration: string } };
  const team = await world.team();
  const ada = newIdentity(team.domain);
  config.registration = 'off';
  try {
    expect(await team.signIn(ada)).toMatchObject({ location: '/login?sso_error=registration_closed' });
    expect(await users(ada.email)).toEqual([]);
    config.registration = 'invite';
    expect(await team.signIn(ada)).toMatchObject({ location: `/${team.slug}` });
    config.registration = 'off';
    expect(await team.signIn(ada)).toMatchObject({ location: `/${team.slug}` });
  } finally {
    config.registration = 'open';
  }
});

describe('a user with the domain', () => {
  it('gets an account without a password and with the mapped role', async () => {
    const team = await world.team({
      role_claim: 'groups',
      role_rules: [
        { value: 'ops', role: 'admin' },
        { value: 'dev', role: 'member' },
      ],
    });
    const ada = newIdentity(team.domain, { groups: ['dev'] });
    const callback = await team.signIn(ada);
    expect(callback).toMatchObject({ status: 302, location: `/${team.slug}` });
    const session = await callback.client!.call('getSession');
    expect(session.body).toMatchObject({
      user: { email: ada.email, username: 'Ada Lovelace', email_verified: true },
      teams: [{ slug: team.slug, role: 'member', refused: null, is_default: true }],
    });
    expect((await users(ada.email))[0]).toMatchObject({ password_hash: null, platform_role: null });
    const password = await world.server.anonymous.call('createSession', {
      body: { email: ada.email, password: '' },
    });
    expect(password.status).not.toBe(201);
    // The sign-in cookie is cleared.
    expect(callback.set.find((one) => one.startsWith('teehouse_sso='))).toMatch(
      /^teehouse_sso=; .*Max-Age=0/,
    );
  });

  it('gets one account under concurrent sign-ins', async () => {
    const team = await world.team();
    const ada = newIdentity(team.domain);
    const callbacks = await Promise.all([team.signIn(ada), team.signIn(ada), team.signIn(ada)]);
    expect(callbacks.map(({ location }) => location)).toEqual(Array(3).fill(`/${team.slug}`));
    expect(await users(ada.email)).toHaveLength(1);
  });

  it('gets the mapped role at each sign-in, unless they are an owner', async () => {
    const team = await world.team({ role_claim: 'groups', role_rules: [{ value: 'ops', role: 'admin' }] });
    const ada = newIdentity(team.domain, { groups: ['ops'] });
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

  it('keeps an existing member’s role', async () => {
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
    const early = { sub: 'early', email: before.email!, email_verified: true };
    expect((await confirmLink(before, await team.signIn(early))).status).toBe(200);
    expect((await team.signIn(early)).client).not.toBeNull();
    expect(await team.role(before.email!)).toBe('admin');
  });

  it('is identified by subject, regardless of the address', async () => {
    const team = await world.team();
    const ada = newIdentity(team.domain);
    const bob = newIdentity(team.domain);
    await team.signIn(ada);
    await team.signIn(bob);
    const renamed = await team.signIn({ ...ada, email: bob.email });
    expect((await renamed.client!.call('getSession')).body.user?.email).toBe(ada.email);
    // An address reassigned to another user at the provider doesn't bring the account with it.
    const reassigned = await team.signIn({ ...newIdentity(team.domain), email: bob.email });
    expect(reassigned).toMatchObject({ location: '/login?sso_error=other_person', client: null });
  });

  it('keeps their existing account after confirming the link', async () => {
    const team = await world.team();
    const email = `known@${team.domain}`;
    const known = await world.server.register(email);
    const identity = { sub: 'known', email, email_verified: true };
    const waiting = await team.signIn(identity);
    expect(waiting).toMatchObject({ location: '/account/link-sso', client: null });
    expect(await confirmLink(known, waiting)).toMatchObject({ status: 200, body: { team_slug: team.slug } });
    expect((await team.signIn(identity)).client).not.toBeNull();
    const { body } = await known.call('getSession');
    expect(body.teams.map(({ slug }) => slug).sort()).toEqual([known.slug, team.slug].sort());
    const again = await world.server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
    expect(again.status).toBe(201);
  });

  it('takes over an unconfirmed account that another user registered', async () => {
    const team = await world.team();
    const email = `squatted@${team.domain}`;
    const squatter = await world.server.register(email);
    const { db } = world.server.services;
    await db.updateTable('users').set({ email_verified_at: null }).where('email', '=', email).execute();
    expect((await squatter.call('getSession')).body.user?.email).toBe(email);
    const callback = await team.signIn({ sub: 'squatted', email, email_verified: true });
    expect(callback.client).not.toBeNull();
    expect((await squatter.call('getSession')).body.user).toBeNull();
    const password = await world.server.anonymous.call('createSession', {
      body: { email, password: PASSWORD },
    });
    expect(password.status).toBe(401);
  });

  it('must still pass their second factor', async () => {
    const team = await world.team();
    const ada = newIdentity(team.domain);
    await team.signIn(ada);
    const { db } = world.server.services;
    await db
      .updateTable('users')
      .set({ second_factor_at: new Date() })
      .where('email', '=', ada.email)
      .execute();
    const callback = await team.signIn(ada, { next: `/${team.slug}/members` });
    expect(callback).toMatchObject({
      status: 302,
      location: `/two-factor?next=${encodeURIComponent(`/${team.slug}/members`)}`,
      client: null,
    });
    const waiting = callback.set.find((one) => /teehouse_sign_in=[^;]/.test(one));
    expect(waiting).toBeDefined();
    const pending = await db
      .selectFrom('pending_sign_ins')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(pending).toMatchObject({ auth_method: 'sso', sso_connection_id: expect.any(Number) as number });
  });
});

describe('rejects a user', () => {
  it.each([
    ['with another domain', { email: 'ada@elsewhere.test' }, 'other_domain'],
    ['with a subdomain', { email: 'ada@sub.DOMAIN' }, 'other_domain'],
    ['with a domain that only ends the same', { email: 'ada@evilDOMAIN' }, 'other_domain'],
    ['with two addresses in one claim', { email: 'ada@DOMAIN@elsewhere.test' }, 'other_domain'],
    ['with an unverified address', { email_verified: false }, 'email_unverified'],
    ['with email_verified as the string "false"', { email_verified: 'false' }, 'email_unverified'],
    ['without an address', { email: '' }, 'no_email'],
    ['with an address that no mail can be sent to', { email: 'ada,bob@DOMAIN' }, 'no_email'],
  ] as [string, Partial<ProviderAccount>, string][])('%s', async (_who, change, reason) => {
    const team = await world.team();
    const ada: ProviderAccount = { ...newIdentity(team.domain), ...change };
    if (ada.email) ada.email = ada.email.replace('DOMAIN', team.domain);
    expect(await team.signIn(ada)).toMatchObject({ location: `/login?sso_error=${reason}`, client: null });
    expect(await users(ada.email ?? '')).toEqual([]);
  });

  it('before the domain is verified and after it changes', async () => {
    const team = await world.team({ verify: false });
    const start = () => world.server.anonymous.call('startSso', { body: { team_slug: team.slug } });
    expect((await start()).status).toBe(404);
    await team.publish();
    await team.owner.call('verifySsoDomain', { path: { slug: team.slug } });
    const started = await begin(world.server.anonymous, team.slug);
    const ada = newIdentity(team.domain);
    world.provider.accounts.set(ada.sub, ada);
    const back = await world.provider.signIn(started.url, ada.sub);
    // The domain changes while the user is at the provider.
    await team.put({ domain: `new-${team.domain}` });
    expect(await arrive(world.server, back, [started.cookie])).toMatchObject({
      location: '/login?sso_error=unavailable',
      client: null,
    });
    expect((await start()).status).toBe(404);
  });

  it('who is suspended', async () => {
    const team = await world.team();
    const ada = newIdentity(team.domain);
    await team.signIn(ada);
    const { db } = world.server.services;
    await db.updateTable('users').set({ state: 'suspended' }).where('email', '=', ada.email).execute();
    expect(await team.signIn(ada)).toMatchObject({
      location: '/login?sso_error=account_closed',
      client: null,
    });
  });

  it('who canceled at the provider, without reporting the connection as broken', async () => {
    const team = await world.team();
    expect(await team.signIn(null)).toMatchObject({ location: '/login?sso_error=denied', client: null });
    const { body } = await team.owner.call('getSso', { path: { slug: team.slug } });
    expect(body.connection?.last_error).toBeNull();
  });

  it('with an ID token for another client, and shows the reason to an admin', async () => {
    const team = await world.team();
    world.provider.tamper = (claims) => ({ ...claims, aud: 'another-client' });
    const callback = await team.signIn(newIdentity(team.domain));
    world.provider.tamper = null;
    expect(callback).toMatchObject({ location: '/login?sso_error=rejected', client: null });
    const { body } = await team.owner.call('getSso', { path: { slug: team.slug } });
    expect(body.connection?.last_error).toContain('not for this sign-in');
    await team.signIn(newIdentity(team.domain));
    const after = await team.owner.call('getSso', { path: { slug: team.slug } });
    expect(after.body.connection).toMatchObject({
      last_error: null,
      last_sign_in_at: expect.any(String) as string,
    });
  });
});

describe('a provider response', () => {
  const prepareResponse = async () => {
    const team = await world.team();
    const ada = newIdentity(team.domain);
    world.provider.accounts.set(ada.sub, ada);
    const started = await begin(world.server.anonymous, team.slug);
    const back = await world.provider.signIn(started.url, ada.sub);
    return { team, ada, started, back };
  };
  const expired = { status: 302, location: '/login?sso_error=expired', client: null };

  it('is accepted once', async () => {
    const { started, back } = await prepareResponse();
    expect((await arrive(world.server, back, [started.cookie])).client).not.toBeNull();
    expect(await arrive(world.server, back, [started.cookie])).toMatchObject(expired);
  });

  it('is accepted only in the browser that started the sign-in', async () => {
    const first = await prepareResponse();
    expect(await arrive(world.server, first.back, [])).toMatchObject(expired);
    const second = await prepareResponse();
    const other = await begin(world.server.anonymous, second.team.slug);
    expect(await arrive(world.server, second.back, [other.cookie])).toMatchObject(expired);
    expect(await users(first.ada.email)).toEqual([]);
    expect(await users(second.ada.email)).toEqual([]);
  });

  it('is accepted only with its original state', async () => {
    const { started, back } = await prepareResponse();
    for (const state of ['', 'wrong', undefined]) {
      const changed = new URL(back);
      if (state === undefined) changed.searchParams.delete('state');
      else changed.searchParams.set('state', state);
      expect(await arrive(world.server, changed, [started.cookie])).toMatchObject(expired);
    }
    // Another sign-in's state, in the same browser, does not fit this code either.
    const other = await begin(world.server.anonymous, (await world.team()).slug);
    const crossed = new URL(back);
    crossed.searchParams.set('state', new URL(other.url).searchParams.get('state') ?? '');
    expect((await arrive(world.server, crossed, [other.cookie])).client).toBeNull();
  });

  it('is accepted for ten minutes', async () => {
    const { started, back } = await prepareResponse();
    await world.server.services.db
      .updateTable('sso_sign_ins')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(await arrive(world.server, back, [started.cookie])).toMatchObject(expired);
  });

  it('uses an HTTP-only cookie with a new value each time', async () => {
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
])('never redirects to another site: %s', async (next) => {
  const team = await world.team();
  const { location } = await team.signIn(newIdentity(team.domain), { next });
  expect(location).toBe(`/${team.slug}`);
  expect(new URL(location, 'http://here.test').origin).toBe('http://here.test');
});

it('returns to the requested page', async () => {
  const team = await world.team();
  const next = `/${team.slug}/cvms?status=running#top`;
  expect((await team.signIn(newIdentity(team.domain), { next })).location).toBe(next);
});

it("replaces the browser's existing session", async () => {
  const team = await world.team();
  const before = await world.server.register();
  const callback = await team.signIn(newIdentity(team.domain), { from: before });
  expect(callback.client).not.toBeNull();
  expect((await before.call('getSession')).body.user).toBeNull();
});
