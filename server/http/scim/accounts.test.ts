import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setEmail } from '../../db/accounts/users';
import { withTransaction } from '../../db/core/client';
import { revokeScimToken } from '../../db/teams/scimTokens';
import { lockConnection } from '../../db/teams/sso';
import {
  arrive,
  begin,
  startSsoWorld,
  type SsoTeam,
  type SsoWorld,
} from '../../operations/teams/sso/testing/world';
import { identityOf } from '../../testing/cvmFixtures';
import { mailsTo } from '../../testing/mail';
import { startOidcProvider } from '../../testing/oidcProvider';
import { entraUser, patchOp, scimClient } from './testing/client';

/** Account matching for provisioned users: no account keeps access after deactivation or opens for another user. */

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

let count = 0;
const newEmail = ({ domain }: SsoTeam) => `person${++count}@${domain}`;
const claims = (email: string) => ({ sub: `sub-${email}`, email, email_verified: true, name: 'Ada' });
const deactivate = patchOp({ op: 'Replace', path: 'active', value: 'False' });
const deactivated = { location: '/login?sso_error=deactivated', client: null };
const asked = { location: '/account/link-sso', client: null };

it('requires confirmation when another issuer returns a user whose account the first one created', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  expect((await scim('POST', '/Users', entraUser(email))).status).toBe(201);
  const { server } = world;
  const other = await startOidcProvider({ redirect_uris: [`${server.url}/api/v1/auth/sso/callback`] });
  try {
    const { issuer, client_id, client_secret } = other;
    expect((await team.put({ issuer, client_id, client_secret })).status).toBe(200);
    await team.publish();
    await team.owner.call('verifySsoDomain', { path: { slug: team.slug } });
    other.accounts.set('ada', { ...claims(email), sub: 'ada' });
    const begun = await begin(server.anonymous, team.slug);
    const back = await other.signIn(begun.url, 'ada');
    expect(await arrive(server, back, [begun.cookie])).toMatchObject(asked);
  } finally {
    await other.close();
  }
});

it('lets a reactivated user who joined by signing in sign in again', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  expect((await team.signIn(claims(email))).client).not.toBeNull();
  const { body } = await scim('POST', '/Users', entraUser(email));
  const at = `/Users/${String(body.id)}`;
  expect((await scim('PATCH', at, deactivate)).status).toBe(200);
  expect(await team.signIn(claims(email))).toMatchObject(deactivated);
  await scim('PATCH', at, patchOp({ op: 'Replace', path: 'active', value: 'True' }));
  expect((await team.signIn(claims(email))).client).not.toBeNull();
});

it('removes every account of a deactivated user, even one created after an address change', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  const { body } = await scim('POST', '/Users', entraUser(email));
  const { db } = world.server.services;
  const { user_id } = await identityOf(db, email);
  await withTransaction(db, (trx) => setEmail(trx, user_id, `ada${count}@elsewhere.test`));
  const { client } = await team.signIn(claims(email));
  expect((await client!.call('listApps')).status).toBe(200);

  const at = `/Users/${String(body.id)}`;
  expect(await scim('PATCH', at, deactivate)).toMatchObject({ status: 200, body: { active: false } });
  expect(await team.role(`ada${count}@elsewhere.test`)).toBeNull();
  expect(await team.role(email)).toBeNull();
  expect((await client!.call('listApps')).status).toBe(401);
  expect(await team.signIn(claims(email))).toMatchObject(deactivated);
});

it('removes an invited member that the provider renames in the same request', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  await world.server.register(email);
  const { body } = await scim('POST', '/Users', entraUser(email));
  await sql`
    insert into memberships (team_id, user_id, role)
    select t.id, u.id, 'member' from teams t, users u where t.slug = ${team.slug} and u.email = ${email}`.execute(
    world.server.services.db,
  );
  const renamed = `0f3c-${email}`;
  const reply = await scim(
    'PATCH',
    `/Users/${String(body.id)}`,
    patchOp(
      { op: 'Replace', path: 'userName', value: renamed },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: renamed },
      { op: 'Replace', path: 'active', value: 'False' },
    ),
  );
  expect(reply).toMatchObject({ status: 200, body: { active: false, userName: renamed } });
  expect(await team.role(email)).toBeNull();
});

/** Returns the provider's actions in the team's audit log. */
async function removals(team: SsoTeam): Promise<string[]> {
  const rows = await world.server.services.db
    .selectFrom('audit_log as a')
    .innerJoin('teams as t', 't.id', 'a.team_id')
    .select('a.action')
    .where('t.slug', '=', team.slug)
    .where('a.actor_kind', '=', 'system')
    .where('a.action', 'in', ['member.remove', 'invitation.revoke'])
    .orderBy('a.id')
    .execute();
  return rows.map(({ action }) => action);
}

const invite = (team: SsoTeam, email: string) =>
  team.owner.call('createInvitation', { path: { slug: team.slug }, body: { email, role: 'member' } });

it('ends a reinvited user’s membership whenever the provider states that they are inactive', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  const own = await world.server.register(email);
  const { body } = await scim('POST', '/Users', entraUser(email));
  const at = `/Users/${String(body.id)}`;
  expect((await scim('PATCH', at, deactivate)).status).toBe(200);
  const states = [
    () => scim('PATCH', at, deactivate),
    () => scim('PUT', at, entraUser(email, { active: false })),
    () => scim('PUT', at, entraUser(email, { active: false, displayName: 'Ada L.' })),
  ];
  for (const [n, state] of states.entries()) {
    expect((await invite(team, email)).status).toBe(201);
    const token = (await mailsTo(world.server.services, email)).at(-1)?.token ?? '';
    expect((await own.call('acceptInvitation', { body: { token } })).status).toBe(200);
    // An unrelated request doesn't affect the membership.
    expect(
      (await scim('PATCH', at, patchOp({ op: 'Add', path: 'displayName', value: 'A' }))).body,
    ).toMatchObject({
      active: false,
    });
    expect(await team.role(email)).toBe('member');
    expect(await state()).toMatchObject({ status: 200, body: { active: false } });
    expect(await team.role(email)).toBeNull();
    expect(await removals(team)).toHaveLength(n + 1);
    // Nothing is left to end.
    expect((await state()).status).toBe(200);
    expect(await removals(team)).toHaveLength(n + 1);
  }
  // The last role is restored, even though the provider has deactivated the user again since.
  await scim('PATCH', at, patchOp({ op: 'Replace', path: 'active', value: 'True' }));
  expect(await team.role(email)).toBe('member');
});

it.each(['PATCH', 'DELETE'])('revokes pending invitations to a user with %s', async (method) => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  const { body } = await scim('POST', '/Users', entraUser(email, { active: false }));
  expect((await invite(team, email)).status).toBe(201);
  const other = newEmail(team);
  expect((await invite(team, other)).status).toBe(201);
  const at = `/Users/${String(body.id)}`;
  expect((await scim(method, at, method === 'PATCH' ? deactivate : undefined)).status).toBeLessThan(300);
  const { body: list } = await team.owner.call('listInvitations', { path: { slug: team.slug } });
  expect(list.data.map(({ email: to, state }) => [to, state])).toEqual([
    [other, 'pending'],
    [email, 'revoked'],
  ]);
  expect(await removals(team)).toEqual(['invitation.revoke']);
});

it('refuses a linked account if the provider’s address for it is deactivated', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  expect((await team.signIn(claims(email))).client).not.toBeNull();
  // The provider renamed the user before provisioning started.
  const renamed = newEmail(team);
  await scim('POST', '/Users', entraUser(renamed, { active: false }));
  expect(await team.signIn({ ...claims(email), email: renamed })).toMatchObject(deactivated);
});

it('lets a user return if a deleted predecessor had the account under another address', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  const { body } = await scim('POST', '/Users', entraUser(email));
  const at = `/Users/${String(body.id)}`;
  const renamed = newEmail(team);
  await scim('PUT', at, entraUser(renamed));
  expect((await scim('DELETE', at)).status).toBe(204);
  expect(await team.signIn(claims(email))).toMatchObject(deactivated);
  expect((await scim('POST', '/Users', entraUser(email))).status).toBe(201);
  expect(await team.signIn(claims(email))).toMatchObject(asked);
});

it('changes nothing with a token that is revoked while the request waits', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = newEmail(team);
  const { db } = world.server.services;
  const { id: team_id } = await db
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', team.slug)
    .executeTakeFirstOrThrow();
  const reply = await withTransaction(db, async (trx) => {
    const connection = await lockConnection(trx, team_id);
    const sent = scim('POST', '/Users', entraUser(email));
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        expect(rows).not.toEqual([]);
      },
      { timeout: 30_000 },
    );
    await revokeScimToken(trx, connection!.id);
    return { sent };
  });
  expect(await reply.sent).toMatchObject({ status: 401, body: { status: '401' } });
  expect(await team.role(email)).toBeNull();
});
