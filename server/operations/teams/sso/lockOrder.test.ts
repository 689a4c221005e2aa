import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockTeam, removeMember } from '../../../db/teams/members';
import { identityOf } from '../../../testing/cvmFixtures';
import { lockRace } from '../../../testing/lockRace';
import { confirmLink, startSsoWorld, type SsoWorld } from './testing/world';

/** SCIM and admins remove members, and their provider links, while holding the team lock. */

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => world?.stop());

it('unlinks a provider while its team removes the member', async () => {
  const team = await world.team({ default_role: 'member' });
  const { db } = world.server.services;
  const email = `leaving@${team.domain}`;
  const own = await world.server.register(email);
  const claims = { sub: 'leaving', email, email_verified: true };
  expect((await confirmLink(own, await team.signIn(claims))).status).toBe(200);
  const { body } = await own.call('getAccount');
  const { user_id } = await identityOf(db, email);
  const { id } = await db
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', team.slug)
    .executeTakeFirstOrThrow();
  const unlinked = await lockRace(db, (trx) => lockTeam(trx, id), {
    request: () => own.call('unlinkSso', { path: { connection_id: body.sso[0]!.id } }),
    meanwhile: (trx) => removeMember(trx, id, user_id),
  });
  // The removal came first and ended the link.
  expect(unlinked.status, JSON.stringify(unlinked.body)).toBe(404);
  expect(await team.role(email)).toBeNull();
  expect((await own.call('getAccount')).body.sso).toEqual([]);
});
