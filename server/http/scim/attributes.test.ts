import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSsoWorld, type SsoWorld } from '../../operations/teams/sso/testing/world';
import { entraUser, patchOp, scimClient } from './testing/client';

let world: SsoWorld;
beforeAll(async () => {
  world = await startSsoWorld();
});
afterAll(() => world.stop());

it('returns the requested attributes, or all except excluded ones', async () => {
  const team = await world.team();
  const scim = await scimClient(world, team);
  const email = `ada@${team.domain}`;
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
  const created = await scim('POST', '/Users?attributes=userName', entraUser(email));
  const id = String(created.body.id);
  const at = `/Users/${id}`;
  const named = { schemas, id, userName: email };
  expect(created).toMatchObject({ status: 201, body: named });
  expect(created.headers.get('location')).toContain(at);
  const rename = patchOp({ op: 'Replace', path: 'name.familyName', value: 'King' });
  for (const answer of [
    created,
    await scim('GET', `${at}?attributes=username`),
    await scim('PUT', `${at}?attributes=userName`, entraUser(email)),
    await scim('PATCH', `${at}?attributes=userName`, rename),
  ])
    expect(answer.body).toEqual(named);
  const list = await scim('GET', '/Users?attributes=name.familyName');
  expect(list.body).toMatchObject({ totalResults: 1, itemsPerPage: 1 });
  expect(list.body.Resources).toEqual([{ schemas, id, name: { familyName: 'King' } }]);
  const rest = (await scim('GET', `${at}?excludedAttributes=emails,name.formatted,groups`)).body;
  expect(rest).toMatchObject({ ...named, active: true, name: { familyName: 'King', givenName: 'Ada' } });
  expect(Object.keys(rest)).not.toContain('emails');
  // An invalid parameter changes nothing.
  const long = 'a,'.repeat(2001);
  const refused = await scim('POST', `/Users?attributes=${long}`, entraUser(`grace@${team.domain}`));
  expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 1 });
  expect((await scim('GET', '/Groups?excludedAttributes=members')).body).toMatchObject({ totalResults: 0 });
});
