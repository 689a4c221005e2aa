import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailsTo } from '../../../testing/mail';
import { PASSWORD, sessionCookieOf, type TestClient } from '../../../testing/server';
import { arrive, begin, confirmLink, startSsoWorld, type SsoTeam, type SsoWorld } from './testing/world';

/**
 * The provider's administrator chooses every claim. They must never get an existing account that did not
 * agree, anything outside the team, a platform role, or a change that outlasts the link.
 */
let world: SsoWorld;
let victim_count = 0;
beforeAll(async () => {
  world = await startSsoWorld();
  await world.server.register(); // takes the first account's platform role
});
afterAll(() => world.stop());

const db = () => world.server.services.db;
const account = (email: string) =>
  db().selectFrom('users').select(['id', 'public_id']).where('email', '=', email).executeTakeFirstOrThrow();
const userId = async (email: string) => (await account(email)).id;
const publicId = async (email: string) => (await account(email)).public_id;
const signInWith = async (email: string) => {
  const answer = await world.server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
  return world.server.anonymous.with({ cookie: sessionCookieOf(answer) ?? '' });
};
const claims = (sub: string, email: string) => ({ sub, email, email_verified: true });
const refusedWith = (reason: string) => ({ location: `/login?sso_error=${reason}`, client: null });
const code = ({ status, body }: { status: number; body: unknown }) => [status, JSON.stringify(body)] as const;
const ownSignIn = [403, expect.stringContaining('ERR-09-001')];

/** An account with a password and a private team, linked to the team's provider by its owner. */
async function linkedVictim(team: SsoTeam): Promise<{ own: TestClient; email: string; sub: string }> {
  const sub = `victim-${++victim_count}`;
  const email = `${sub}@${team.domain}`;
  const own = await world.server.register(email);
  const callback = await team.signIn(claims(sub, email));
  expect(callback).toMatchObject({ status: 302, location: '/account/link-sso', client: null });
  expect((await confirmLink(own, callback)).status).toBe(200);
  return { own, email, sub };
}

const attacks: [string, (team: SsoTeam, victim: { own: TestClient; email: string }) => Promise<unknown>][] = [
  [
    'removes them',
    async (team, { email }) =>
      team.owner.call('deleteMember', { path: { slug: team.slug, user_id: await publicId(email) } }),
  ],
  ['sees them leave', (team, { own }) => own.call('leaveWorkspace', { path: { slug: team.slug } })],
];
it.each(attacks)(
  'cannot open the account of a former member after the team %s',
  async (_how, endMembership) => {
    const team = await world.team({ default_role: 'member' });
    const victim = await linkedVictim(team);
    const spy = (await team.signIn(claims(victim.sub, victim.email))).client!;
    expect((await spy.call('getSession')).body.user?.email).toBe(victim.email);
    expect(await endMembership(team, victim)).toMatchObject({ status: 204 });
    // Its earlier session has ended, and the subject gives no access.
    expect((await spy.call('getSession')).body.user).toBeNull();
    const again = await team.signIn(claims(victim.sub, victim.email));
    expect(again).toMatchObject({ location: '/account/link-sso', client: null });
    expect((await victim.own.call('getSession')).body.user?.email).toBe(victim.email);
  },
);

it('cannot open the account of a member who changed their address', async () => {
  const team = await world.team({ default_role: 'member' });
  const { own, email, sub } = await linkedVictim(team);
  const spy = (await team.signIn(claims(sub, email))).client!;
  const fresh = `private-${sub}@elsewhere.test`;
  await own.call('requestEmailChange', { body: { email: fresh } });
  for (const to of [email, fresh]) {
    const mail = (await mailsTo(world.server.services, to)).find(({ template }) =>
      template.startsWith('email_change_confirm'),
    );
    const answer = await world.server.anonymous.call('verifyEmail', { body: { token: mail?.token } });
    expect(answer.status).toBe(200);
  }
  expect((await spy.call('getSession')).body.user).toBeNull();
  const again = await team.signIn(claims(sub, email));
  // The address is free, so a new and empty account has it.
  expect((await again.client!.call('getSession')).body.teams.map(({ slug }) => slug)).toEqual([team.slug]);
  expect(await userId(email)).not.toBe(await userId(fresh));
});

it('cannot use a link after its membership or address is removed from the database', async () => {
  const team = await world.team({ default_role: 'member' });
  const { email, sub } = await linkedVictim(team);
  const user_id = await userId(email);
  await db()
    .updateTable('users')
    .set({ email: `moved-${sub}@elsewhere.test` })
    .where('id', '=', user_id)
    .execute();
  expect(await team.signIn(claims(sub, email))).toMatchObject(refusedWith('address_left'));
  await db().deleteFrom('memberships').where('user_id', '=', user_id).execute();
  expect(await team.signIn(claims(sub, email))).toMatchObject(refusedWith('not_member'));
});

it("gives a newcomer with a former member's address no access to the old account", async () => {
  const team = await world.team({ default_role: 'member' });
  const former = claims('former', `desk@${team.domain}`);
  const before = (await team.signIn(former)).client!;
  const path = { slug: team.slug };
  await team.owner.call('deleteMember', { path: { ...path, user_id: await publicId(former.email) } });
  const newcomer = await team.signIn(claims('newcomer', former.email));
  expect(newcomer).toMatchObject({ location: '/account/link-sso', client: null });
  expect((await before.call('getSession')).body.user).toBeNull();
  expect(await team.role(former.email)).toBeNull();
});

describe('an existing account', () => {
  it('is linked only after signing in to it in the same browser', async () => {
    const team = await world.team();
    const email = `existing@${team.domain}`;
    const own = await world.server.register(email);
    const callback = await team.signIn(claims('existing', email));
    expect(callback).toMatchObject({ location: '/account/link-sso', client: null });
    expect(await team.role(email)).toBeNull();
    // A stranger, another user, the account in another browser, and a session another provider opened.
    const stranger = await world.server.register();
    expect((await confirmLink(world.server.anonymous, callback)).status).toBe(401);
    expect((await confirmLink(stranger, callback)).status).toBe(403);
    expect((await confirmLink(own, { set: [] })).status).toBe(401);
    expect(await team.role(email)).toBeNull();
    expect((await mailsTo(world.server.services, email)).map(({ template }) => template)).not.toContain(
      'sso_linked',
    );
    expect((await confirmLink(own, callback)).status).toBe(200);
    expect(await team.role(email)).toBe('viewer');
    expect((await confirmLink(own, callback)).status).toBe(401);
    const mails = await mailsTo(world.server.services, email);
    expect(mails.filter(({ template }) => template === 'sso_linked')).toHaveLength(1);
    expect((await team.signIn(claims('existing', email))).location).toBe(`/${team.slug}`);
  });

  it('cannot be linked from a session opened by single sign-on', async () => {
    const team = await world.team({ default_role: 'member' });
    const { email, sub } = await linkedVictim(team);
    const spy = (await team.signIn(claims(sub, email))).client!;
    // Without its link, as after a change of issuer; the session was stolen before.
    await db()
      .deleteFrom('sso_identities')
      .where('user_id', '=', await userId(email))
      .execute();
    const callback = await team.signIn(claims('second', email));
    expect(callback.location).toBe('/account/link-sso');
    expect(code(await confirmLink(spy, callback))).toEqual(ownSignIn);
  });

  it('requires a recent confirmation to be linked', async () => {
    const team = await world.team();
    const email = `stale@${team.domain}`;
    const own = await world.server.register(email);
    const callback = await team.signIn(claims('stale', email));
    await db()
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now() - 3600_000) })
      .where('user_id', '=', await userId(email))
      .execute();
    expect(code(await confirmLink(own, callback))).toEqual([403, expect.stringContaining('ERR-00-031')]);
    expect(await team.role(email)).toBeNull();
  });

  it('cannot be linked by a connection that changed in the meantime', async () => {
    const team = await world.team();
    const email = `late@${team.domain}`;
    const own = await world.server.register(email);
    const callback = await team.signIn(claims('late', email));
    await team.put({ domain: `new-${team.domain}` });
    expect((await confirmLink(own, callback)).status).toBe(401);
    expect(await team.role(email)).toBeNull();
  });

  it('registered by a squatter is closed with its teams, and the rightful owner gets an empty one', async () => {
    const team = await world.team();
    const email = `squatted2@${team.domain}`;
    const squatter = await world.server.register(email);
    const old_id = await userId(email);
    await db().updateTable('users').set({ email_verified_at: null }).where('id', '=', old_id).execute();
    const callback = await team.signIn(claims('squatted2', email));
    const { body } = await callback.client!.call('getSession');
    expect(body.teams.map(({ slug }) => slug)).toEqual([team.slug]);
    expect(await userId(email)).not.toBe(old_id);
    expect((await squatter.call('getSession')).body.user).toBeNull();
    const left = await db().selectFrom('memberships').selectAll().where('user_id', '=', old_id).execute();
    expect(left).toEqual([]);
  });

  it('with an unconfirmed address is not taken over if it has a platform role', async () => {
    const team = await world.team();
    const email = `root@${team.domain}`;
    await world.server.register(email);
    await db()
      .updateTable('users')
      .set({ email_verified_at: null, platform_role: 'admin' })
      .where('email', '=', email)
      .execute();
    expect(await team.signIn(claims('root', email))).toMatchObject({
      location: '/account/link-sso',
      client: null,
    });
  });
});

describe('a session opened by the provider', () => {
  let team: SsoTeam;
  let own: TestClient;
  let email: string;
  let spy: TestClient;
  beforeAll(async () => {
    team = await world.team({ default_role: 'member' });
    const victim = await linkedVictim(team);
    ({ own, email } = victim);
    await db().updateTable('users').set({ platform_role: 'admin' }).where('email', '=', email).execute();
    spy = (await team.signIn(claims(victim.sub, email))).client!;
  });

  it('reaches only its team', async () => {
    const { body } = await spy.call('getSession');
    expect(body.teams.map(({ slug }) => slug)).toEqual([team.slug]);
    expect(body.single_sign_on).toMatchObject({ team_slug: team.slug });
    expect(body.account_settings_refused).toBe('sso');
    expect((await own.call('getSession')).body.single_sign_on).toBeNull();
    const list = await spy.call('listWorkspaces');
    expect((list.body as { data: { slug: string }[] }).data.map(({ slug }) => slug)).toEqual([team.slug]);
    const there = { 'x-workspace': own.slug ?? '' };
    const path = { slug: own.slug ?? '' };
    expect((await spy.call('getWorkspace', { path })).status).toBe(404);
    expect((await spy.call('listTokens', { path })).status).toBe(404);
    const body_of_token = { name: 'stolen', scopes: ['*'] };
    expect((await spy.call('createApiToken', { path, body: body_of_token })).status).toBe(404);
    expect((await spy.call('listApps', { headers: there })).status).toBe(404);
    expect((await spy.call('leaveWorkspace', { path })).status).toBe(404);
    expect((await spy.call('getWorkspace', { path: { slug: team.slug } })).status).toBe(200);
  });

  it('has no platform role', async () => {
    const { body } = await spy.call('getSession');
    expect([body.platform_role, body.platform_permissions]).toEqual([null, []]);
    expect((await own.call('getSession')).body.platform_role).toBe('admin');
    expect((await spy.call('listAdminUsers')).status).toBe(403);
    const staffed = { 'x-admin-workspace': own.slug ?? '' };
    expect((await spy.call('listApps', { headers: staffed })).status).toBe(403);
  });

  it.each([
    ['changePassword', { new_password: 'an entirely new password' }],
    ['requestEmailChange', { email: 'spy@elsewhere.test' }],
    ['deleteAccount', { email: 'x@elsewhere.test' }],
    ['exportAccount', undefined],
    ['createTotp', undefined],
    ['createPasskeyRegistration', undefined],
    ['createRecoveryCodes', undefined],
    ['createWorkspace', { name: 'Mine' }],
    ['acceptInvitation', { token: 'thk_inv_x' }],
    ['createSshKey', { name: 'spy', public_key: 'ssh-ed25519 AAAA' }],
    ['createVault', {}],
    ['listAccountSessions', undefined],
    ['deleteOtherSessions', undefined],
    ['updateAccount', { username: 'Owned' }],
  ] as const)('cannot %s', async (id, body) => {
    expect(code(await spy.call(id, body === undefined ? {} : { body }))).toEqual(ownSignIn);
  });

  it('cannot unlink or delete the team, and has at most the admin role', async () => {
    const path = { slug: team.slug };
    const { body } = await own.call('getAccount');
    const [linked] = body.sso;
    const unlink = await spy.call('unlinkSso', { path: { connection_id: linked!.id } });
    expect(code(unlink)).toEqual(ownSignIn);
    await db()
      .updateTable('memberships')
      .set({ role: 'owner' })
      .where('user_id', '=', await userId(email))
      .where('sso_connection_id', 'is not', null)
      .execute();
    expect((await spy.call('getWorkspace', { path })).status).toBe(200);
    expect((await spy.call('deleteWorkspace', { path, body: { slug: team.slug } })).status).toBe(403);
    const promote = await spy.call('updateMember', {
      path: { ...path, user_id: await publicId(team.owner.email ?? '') },
      body: { role: 'viewer' },
    });
    expect(promote.status).toBe(403);
  });

  it('approves CLI logins for its team only, and their tokens have the same limits', async () => {
    const device = async () =>
      (await world.server.anonymous.call('createDeviceCode', { body: { client_id: 'phala-cli' } })).body as {
        user_code: string;
        device_code: string;
      };
    const decide = async (user_code: string, workspace_slug: string) =>
      spy.call('decideDeviceAuthorization', { body: { user_code, decision: 'approve', workspace_slug } });
    const first = await device();
    // As for a team the user is not in: the provider learns nothing about their other teams.
    expect((await decide(first.user_code, own.slug ?? '')).status).toBe(404);
    expect((await decide(first.user_code, team.slug)).status).toBe(200);
    const { body } = await world.server.anonymous.call('createDeviceToken', {
      body: {
        device_code: first.device_code,
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'phala-cli',
      },
    });
    const token = (body as { access_token: string }).access_token;
    const cli = world.server.anonymous.with({ 'x-api-key': token });
    expect((await cli.call('getCurrentUser')).body).toMatchObject({
      user: { role: 'user' },
      workspace: { slug: team.slug },
    });
    const key = { name: 'spy', public_key: 'ssh-ed25519 AAAA' };
    expect(code(await cli.call('createSshKey', { body: key }))).toEqual(ownSignIn);
  });

  it('ends with the link, along with its tokens, and notifies the owner', async () => {
    const made = await spy.call('createApiToken', {
      path: { slug: team.slug },
      body: { name: 'spy', scopes: ['*'] },
    });
    const stolen = world.server.anonymous.with({ 'x-api-key': (made.body as { token: string }).token });
    expect((await stolen.call('getCurrentUser')).status).toBe(200);
    const { body } = await own.call('getAccount');
    expect(body.sso).toMatchObject([{ team_slug: team.slug, domain: team.domain }]);
    const path = { connection_id: body.sso[0]!.id };
    expect((await own.call('unlinkSso', { path })).status).toBe(204);
    expect((await own.call('unlinkSso', { path })).status).toBe(404);
    expect((await spy.call('getSession')).body.user).toBeNull();
    expect((await stolen.call('getCurrentUser')).status).toBe(401);
    const mails = await mailsTo(world.server.services, email);
    expect(mails.map(({ template }) => template)).toContain('sso_unlinked');
    expect((await own.call('getWorkspace', { path: { slug: team.slug } })).status).toBe(200);
  });
});

it('loses its sessions when the issuer or domain changes or the connection is removed', async () => {
  for (const end of [
    (team: SsoTeam) => team.put({ domain: `other-${team.domain}` }),
    (team: SsoTeam) => team.owner.call('deleteSso', { path: { slug: team.slug } }),
  ]) {
    const team = await world.team();
    const spy = (await team.signIn(claims('ended', `ended@${team.domain}`))).client!;
    await end(team);
    expect((await spy.call('getSession')).body.user).toBeNull();
  }
});

it('cannot finish a pending second factor once the member is removed', async () => {
  const team = await world.team();
  const { email, sub } = await linkedVictim(team);
  await db().updateTable('users').set({ second_factor_at: new Date() }).where('email', '=', email).execute();
  const waiting = await team.signIn(claims(sub, email));
  expect(waiting.location).toMatch(/^\/two-factor/);
  await team.owner.call('deleteMember', { path: { slug: team.slug, user_id: await publicId(email) } });
  const cookie = waiting.set.find((one) => one.startsWith('teehouse_sign_in='))?.split(';')[0] ?? '';
  expect((await world.server.anonymous.with({ cookie }).call('getPendingSignIn')).status).toBe(401);
});

describe('a provider that omits email_verified', () => {
  it('signs in no users unless the team opts out', async () => {
    const team = await world.team();
    const unsaid = { sub: 'unsaid', email: `unsaid@${team.domain}` };
    expect(await team.signIn(unsaid)).toMatchObject(refusedWith('email_unverified'));
    const kept = await team.put({ require_email_verified: false });
    expect(kept.body).toMatchObject({ connection: { require_email_verified: false } });
    expect((await team.signIn(unsaid)).location).toBe(`/${team.slug}`);
    const denied = { ...unsaid, sub: 'denied', email: `denied@${team.domain}`, email_verified: false };
    expect(await team.signIn(denied)).toMatchObject(refusedWith('email_unverified'));
  });
});

it('loses control of an account it created once the user sets a password by email', async () => {
  const team = await world.team();
  const email = `own@${team.domain}`;
  await team.signIn(claims('own', email));
  await world.server.anonymous.call('requestPasswordReset', { body: { email } });
  const mail = (await mailsTo(world.server.services, email)).find(
    ({ template }) => template === 'reset_password',
  );
  const reset = { token: mail?.token, password: PASSWORD };
  expect((await world.server.anonymous.call('resetPassword', { body: reset })).status).toBe(204);
  const own = await signInWith(email);
  expect((await own.call('createWorkspace', { body: { name: 'Mine' } })).status).toBe(201);
  expect((await own.call('updateAccount', { body: { username: 'Me' } })).status).toBe(200);
});

it("cannot have its response accepted in another user's browser", async () => {
  const team = await world.team();
  const email = `crossed@${team.domain}`;
  const own = await world.server.register(email);
  world.provider.accounts.set('crossed', claims('crossed', email));
  const started = await begin(world.server.anonymous, team.slug);
  const back = await world.provider.signIn(started.url, 'crossed');
  // The victim is led to the answer of a sign-in that the attacker's browser started.
  expect(await arrive(world.server, back, [own.cookie])).toMatchObject(refusedWith('expired'));
  expect(await team.role(email)).toBeNull();
});
