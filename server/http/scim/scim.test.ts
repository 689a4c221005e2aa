import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  confirmLink,
  startSsoWorld,
  type SsoTeam,
  type SsoWorld,
} from '../../operations/teams/sso/testing/world';
import { PASSWORD } from '../../testing/server';
import { entraUser, oktaUser, patchOp, scimClient } from './testing/client';

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

let count = 0;
const newEmail = ({ domain }: SsoTeam) => `person${++count}@${domain}`;
const claims = (email: string) => ({ sub: `sub-${email}`, email, email_verified: true, name: 'Ada' });
const deactivated = { location: '/login?sso_error=deactivated', client: null };
const user = (email: string) =>
  world.server.services.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

/** Returns the provider's actions in the team's audit log. */
async function audited(team: SsoTeam): Promise<string[]> {
  const rows = await world.server.services.db
    .selectFrom('audit_log as a')
    .innerJoin('teams as t', 't.id', 'a.team_id')
    .select('a.action')
    .where('t.slug', '=', team.slug)
    .where('a.actor_kind', '=', 'system')
    .orderBy('a.id')
    .execute();
  return rows.map(({ action }) => action);
}

describe('Microsoft Entra', () => {
  it('creates, matches, changes, disables, enables and deletes a user', async () => {
    const team = await world.team({ default_role: 'member' });
    const scim = await scimClient(world, team);
    const email = newEmail(team);
    // Its connection test looks for a user who doesn't exist.
    const test = await scim('GET', '/Users?filter=userName+eq+%22aba8ed2f-30ff-4b5e-9c8b-0e8f6d3a9a11%22');
    expect(test).toMatchObject({
      status: 200,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
        totalResults: 0,
        Resources: [],
        startIndex: 1,
        itemsPerPage: 0,
      },
    });
    expect(test.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect(test.headers.get('x-request-id')).toMatch(/^req_/);

    const created = await scim('POST', '/Users', entraUser(email));
    expect(created).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^scu_/),
        externalId: `ext-${email}`,
        userName: email,
        active: true,
        name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
        emails: [{ value: email, type: 'work', primary: true }],
        meta: { resourceType: 'User', location: expect.stringContaining('/scim/v2/Users/scu_') },
      },
    });
    const at = `/Users/${String(created.body.id)}`;
    expect(created.headers.get('location')).toContain(at);
    expect(await team.role(email)).toBe('member');
    expect(await user(email)).toMatchObject({ password_hash: null, username: 'Ada Lovelace' });

    for (const filter of [`userName eq "${email.toUpperCase()}"`, `externalId eq "ext-${email}"`]) {
      const found = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(found.body, filter).toMatchObject({ totalResults: 1, Resources: [{ id: created.body.id }] });
    }

    // The account was created for this provider, so there is nothing to confirm.
    const arrival = await team.signIn(claims(email));
    expect(arrival).toMatchObject({ location: `/${team.slug}` });
    expect((await arrival.client!.call('listApps')).status).toBe(200);

    const renamed = await scim(
      'PATCH',
      at,
      patchOp(
        { op: 'Replace', path: 'name.familyName', value: 'King' },
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'R&D',
        },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${email}` },
      ),
    );
    expect(renamed).toMatchObject({
      status: 200,
      body: { name: { familyName: 'King', givenName: 'Ada' }, emails: [{ value: `new-${email}` }] },
    });

    const disabled = await scim('PATCH', at, patchOp({ op: 'Replace', path: 'active', value: 'False' }));
    expect(disabled).toMatchObject({ status: 200, body: { active: false } });
    expect(await team.role(email)).toBeNull();
    expect((await arrival.client!.call('listApps')).status).toBe(401);
    expect(await team.signIn(claims(email))).toMatchObject(deactivated);

    const enabled = await scim('PATCH', at, patchOp({ op: 'Replace', path: 'active', value: 'True' }));
    expect(enabled.body).toMatchObject({ active: true });
    expect(await team.role(email)).toBe('member');
    expect((await team.signIn(claims(email))).client).not.toBeNull();

    expect((await scim('DELETE', at)).status).toBe(204);
    expect(await team.role(email)).toBeNull();
    expect((await scim('GET', at)).status).toBe(404);
    expect((await scim('DELETE', at)).status).toBe(404);
    expect(await team.signIn(claims(email))).toMatchObject(deactivated);
    // The account isn't the team's to delete.
    expect(await user(email)).toMatchObject({ state: 'active' });
    expect(await audited(team)).toEqual([
      'scim.user_create',
      'user.register',
      'member.add',
      'scim.user_update',
      'scim.user_update',
      'member.remove',
      'scim.user_update',
      'member.add',
      'member.remove',
      'scim.user_delete',
    ]);
  });
});

describe('Okta', () => {
  it('reads, creates, replaces, deactivates and reactivates a user', async () => {
    const team = await world.team({ default_role: 'viewer' });
    const scim = await scimClient(world, team);
    const email = newEmail(team);
    expect((await scim('GET', '/Users?startIndex=1&count=2')).body).toMatchObject({ totalResults: 0 });
    expect(await scim('GET', '/Groups?startIndex=1&count=100')).toMatchObject({
      status: 200,
      body: { totalResults: 0, Resources: [] },
    });
    const filter = encodeURIComponent(`userName eq "${email}"`);
    expect((await scim('GET', `/Users?filter=${filter}&startIndex=1&count=100`)).body.totalResults).toBe(0);

    const created = await scim('POST', '/Users', oktaUser(email));
    expect(created).toMatchObject({ status: 201, body: { displayName: 'Grace Hopper', active: true } });
    // The password it sends is neither stored nor returned.
    expect(created.body).not.toHaveProperty('password');
    expect((await user(email))?.password_hash).toBeNull();
    const at = `/Users/${String(created.body.id)}`;
    expect((await scim('GET', at)).body).toEqual(created.body);

    const again = await scim('POST', '/Users', oktaUser(email));
    expect(again).toMatchObject({
      status: 409,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '409',
        scimType: 'uniqueness',
        detail: expect.any(String),
      },
    });

    const replaced = await scim('PUT', at, { ...created.body, displayName: 'Rear Admiral Hopper' });
    expect(replaced).toMatchObject({
      status: 200,
      body: { displayName: 'Rear Admiral Hopper', active: true },
    });

    const off = await scim('PATCH', at, patchOp({ op: 'replace', value: { active: false } }));
    expect(off).toMatchObject({ status: 200, body: { active: false } });
    expect(await team.role(email)).toBeNull();
    // Repeating it changes nothing.
    expect((await scim('PATCH', at, patchOp({ op: 'replace', value: { active: false } }))).body).toEqual(
      off.body,
    );
    expect(await scim('PUT', at, { ...off.body, active: true })).toMatchObject({ body: { active: true } });
    expect(await team.role(email)).toBe('viewer');
  });
});

it('pages through users', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const emails = Array.from({ length: 5 }, () => newEmail(team));
  for (const email of emails) await scim('POST', '/Users', entraUser(email));
  const page = async (query: string) => {
    const { body } = await scim('GET', `/Users?${query}`);
    return [body.totalResults, (body.Resources as { userName: string }[]).map(({ userName }) => userName)];
  };
  expect(await page('startIndex=2&count=2')).toEqual([5, emails.slice(1, 3)]);
  expect(await page('startIndex=5&count=10')).toEqual([5, emails.slice(4)]);
  expect(await page('startIndex=0&count=1')).toEqual([5, emails.slice(0, 1)]);
  expect(await page('startIndex=900000000')).toEqual([5, []]);
  expect(await page('count=0')).toEqual([5, []]);
  expect(await page('count=-3')).toEqual([5, []]);
  expect(await page('count=100000')).toEqual([5, emails]);
});

it('describes its capabilities', async () => {
  const scim = await scimClient(world, await world.team());
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    authenticationSchemes: [{ type: 'oauthbearertoken' }],
  });
  const types = await scim('GET', '/ResourceTypes');
  expect(types.body).toMatchObject({ totalResults: 1, Resources: [{ id: 'User', endpoint: '/Users' }] });
  const schema = 'urn:ietf:params:scim:schemas:core:2.0:User';
  expect((await scim('GET', `/Schemas/${schema}`)).body).toMatchObject({ id: schema, name: 'User' });
});

describe('an existing account', () => {
  it('joins only once its owner has confirmed the link', async () => {
    const team = await world.team({ default_role: 'member' });
    const scim = await scimClient(world, team);
    const email = newEmail(team);
    const known = await world.server.register(email);
    const created = await scim('POST', '/Users', entraUser(email));
    expect(created).toMatchObject({ status: 201, body: { active: true } });
    expect(await team.role(email)).toBeNull();
    const waiting = await team.signIn(claims(email));
    expect(waiting).toMatchObject({ location: '/account/link-sso', client: null });
    expect((await confirmLink(known, waiting)).status).toBe(200);
    expect(await team.role(email)).toBe('member');

    // Now the provider can remove the membership, but nothing else of the account.
    const { client } = await team.signIn(claims(email));
    const at = `/Users/${String(created.body.id)}`;
    await scim('PATCH', at, patchOp({ op: 'replace', path: 'active', value: false }));
    expect(await team.role(email)).toBeNull();
    expect((await client!.call('listApps')).status).toBe(401);
    const own = await world.server.anonymous.call('createSession', { body: { email, password: PASSWORD } });
    expect(own.status).toBe(201);
  });

  it('can’t confirm a link after the provider deactivated the user', async () => {
    const team = await world.team();
    const scim = await scimClient(world, team);
    const email = newEmail(team);
    const known = await world.server.register(email);
    const { body } = await scim('POST', '/Users', entraUser(email));
    const waiting = await team.signIn(claims(email));
    await scim('DELETE', `/Users/${String(body.id)}`);
    expect((await confirmLink(known, waiting)).status).not.toBe(200);
    expect(await team.role(email)).toBeNull();
    // When reprovisioned, it must confirm again.
    expect((await scim('POST', '/Users', entraUser(email))).status).toBe(201);
    expect(await team.signIn(claims(email))).toMatchObject({ location: '/account/link-sso' });
  });

  it('with its own password isn’t opened by the provider', async () => {
    const team = await world.team();
    const scim = await scimClient(world, team);
    const email = newEmail(team);
    await scim('POST', '/Users', entraUser(email));
    await world.server.services.db
      .updateTable('users')
      .set({ password_hash: 'set by a reset link' })
      .where('email', '=', email)
      .execute();
    expect(await team.signIn(claims(email))).toMatchObject({ location: '/account/link-sso', client: null });
  });

  it('keeps the role assigned by members, even when it returns', async () => {
    const team = await world.team({ default_role: 'viewer' });
    const scim = await scimClient(world, team);
    const email = newEmail(team);
    await team.signIn(claims(email));
    const ada = await user(email);
    await team.owner.call('updateMember', {
      path: { slug: team.slug, user_id: ada!.public_id },
      body: { role: 'admin' },
    });
    const { body } = await scim('POST', '/Users', entraUser(email));
    expect(await team.role(email)).toBe('admin');
    for (const active of [false, true])
      await scim('PATCH', `/Users/${String(body.id)}`, patchOp({ op: 'replace', value: { active } }));
    expect(await team.role(email)).toBe('admin');
    await team.signIn(claims(email));
    expect(await team.role(email)).toBe('admin');
  });
});

describe('an owner', () => {
  it('can’t be removed by the provider, and the request stores nothing', async () => {
    const team = await world.team();
    const scim = await scimClient(world, team);
    const email = newEmail(team);
    await world.server.services.db
      .updateTable('users')
      .set({ email })
      .where('email', '=', team.owner.email!)
      .execute();
    const { body } = await scim('POST', '/Users', entraUser(email));
    const at = `/Users/${String(body.id)}`;
    const refused = await scim(
      'PATCH',
      at,
      patchOp({ op: 'replace', value: { displayName: 'Gone', active: false } }),
    );
    expect(refused).toMatchObject({
      status: 409,
      body: { status: '409', detail: expect.stringContaining('only owner') },
    });
    expect((await scim('DELETE', at)).status).toBe(409);
    expect((await scim('GET', at)).body).toEqual(body);
    expect(await team.role(email)).toBe('owner');

    // Even with a second owner, the provider can't decide this.
    const other = newEmail(team);
    const second = await scim('POST', '/Users', entraUser(other));
    await world.server.services.db
      .updateTable('memberships')
      .set({ role: 'owner' })
      .where('user_id', '=', (await user(other))!.id)
      .execute();
    expect(await scim('DELETE', `/Users/${String(second.body.id)}`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('is an owner') },
    });
  });
});

it('adds nobody while the domain is unverified, but still removes', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  const { body } = await scim('POST', '/Users', entraUser(email));
  await world.server.services.db
    .updateTable('sso_connections')
    .set({ suspended_at: new Date() })
    .where('domain', '=', team.domain)
    .execute();
  expect((await scim('POST', '/Users', entraUser(newEmail(team)))).status).toBe(403);
  const at = `/Users/${String(body.id)}`;
  expect((await scim('PATCH', at, patchOp({ op: 'Replace', path: 'active', value: 'False' }))).status).toBe(
    200,
  );
  expect(await team.role(email)).toBeNull();
  expect((await scim('PATCH', at, patchOp({ op: 'Replace', path: 'active', value: 'True' }))).status).toBe(
    403,
  );
});

it('creates no account when registration is off', async () => {
  const { config } = world.server.services as { config: { registration: string } };
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  config.registration = 'off';
  try {
    expect((await scim('POST', '/Users', entraUser(email))).status).toBe(403);
    expect(await user(email)).toBeUndefined();
  } finally {
    config.registration = 'open';
  }
});

it('adds at most 20,000 users', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  await sql`
    insert into scim_users (public_id, connection_id, user_name, email, active)
    select 'scu_fill' || n, c.id, 'fill' || n, 'fill' || n || '@' || c.domain, true
    from sso_connections c, generate_series(1, 20000) n where c.domain = ${team.domain}`.execute(
    world.server.services.db,
  );
  expect(await scim('POST', '/Users', entraUser(newEmail(team)))).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('20000') },
  });
  expect((await scim('GET', '/Users?startIndex=19999')).body).toMatchObject({
    totalResults: 20_000,
    itemsPerPage: 2,
  });
});
