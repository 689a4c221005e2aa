import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSsoWorld, type SsoTeam, type SsoWorld } from '../../operations/teams/sso/testing/world';
import { newToken } from '../../domain/teams/token';
import { entraUser, patchOp, scimClient, scimClientWith, type ScimClient } from './testing/client';

let world: SsoWorld;
let team: SsoTeam;
let scim: ScimClient;
let at: string;
beforeAll(async () => {
  world = await startSsoWorld();
  team = await world.team();
  scim = await scimClient(world, team);
  const { body } = await scim('POST', '/Users', entraUser(`ada@${team.domain}`));
  at = `/Users/${String(body.id)}`;
});
afterAll(() => world.stop());

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

describe('a token', () => {
  it.each([
    '',
    'Bearer',
    'Bearer x',
    `Bearer ${newToken('scim')}`,
    `Bearer ${newToken('api')}`,
    'Basic YTpi',
  ])('that is invalid is refused: %s', async (authorization) => {
    const reply = await scimClientWith(world, authorization)('GET', '/Users');
    expect(reply).toMatchObject({ status: 401, body: { schemas: [ERROR], status: '401' } });
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('of another team sees and changes nothing', async () => {
    const other = await scimClient(world, await world.team());
    expect((await other('GET', '/Users')).body).toMatchObject({ totalResults: 0, Resources: [] });
    const filter = encodeURIComponent(`userName eq "ada@${team.domain}"`);
    expect((await other('GET', `/Users?filter=${filter}`)).body).toMatchObject({ totalResults: 0 });
    const attempts: [string, unknown?][] = [
      ['GET'],
      ['PUT', entraUser(`ada@${team.domain}`)],
      ['PATCH', patchOp({ op: 'replace', value: { active: false } })],
      ['DELETE'],
    ];
    for (const [method, body] of attempts) expect((await other(method, at, body)).status, method).toBe(404);
    // Nor does it add users with another team's addresses.
    expect(await other('POST', '/Users', entraUser(`eve@${team.domain}`))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    });
    expect((await scim('GET', at)).body).toMatchObject({ active: true });
  });

  it('is neither a session nor an API token', async () => {
    const reply = await fetch(`${world.server.address}/scim/v2/Users`, {
      headers: { cookie: team.owner.cookie ?? '' },
    });
    expect(reply.status).toBe(401);
  });
});

describe('a filter', () => {
  it.each([
    `userName eq "x" or 1 eq 1`,
    `userName eq "x") or (active eq true`,
    `userName co "a"`,
    `userName pr`,
    `password eq "x"`,
    `__proto__ eq "x"`,
    `userName eq 'x'`,
    `userName eq "\\u0000"`,
    `userName eq "\\ud800"`,
    `userName eq "${'\\'.repeat(3000)}`,
    `${'('.repeat(500)}userName eq "x"${')'.repeat(500)}`,
  ])('that isn’t one comparison is refused: %s', async (filter) => {
    expect(await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)).toMatchObject({
      status: 400,
      body: { schemas: [ERROR], scimType: 'invalidFilter' },
    });
  });

  it.each([`' or '1'='1`, `%`, `_`, `*`, `"; drop table users; --`])(
    'finds only equal values: %s',
    async (value) => {
      const filter = encodeURIComponent(`userName eq ${JSON.stringify(value)}`);
      expect(await scim('GET', `/Users?filter=${filter}`)).toMatchObject({
        status: 200,
        body: { totalResults: 0 },
      });
    },
  );

  it.each([
    'startIndex=x',
    'count=1e9',
    'count=9999999999999',
    'filter=a&filter=b',
    'startIndex=1&startIndex=2',
  ])('and pages with invalid values are refused: %s', async (query) => {
    expect((await scim('GET', `/Users?${query}`)).status).toBe(400);
  });
});

describe('a body', () => {
  it.each([
    ['nothing', '', 'invalidSyntax'],
    ['no JSON', '{', 'invalidSyntax'],
    ['a list', '[]', 'invalidSyntax'],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'invalidSyntax'],
    ['a NUL', JSON.stringify(entraUser('a\u0000b@x.test')), 'invalidValue'],
    ['no user name', '{}', 'invalidValue'],
    ['a number as user name', '{"userName":7}', 'invalidValue'],
    ['no address', '{"userName":"ada"}', 'invalidValue'],
    ['two addresses in one', JSON.stringify({ userName: 'a@evil.test,b@corp1.test' }), 'invalidValue'],
    ['a list of addresses', JSON.stringify({ userName: 'eve,ada@corp1.test' }), 'invalidValue'],
    [
      'an address elsewhere, and objects as keywords',
      JSON.stringify({
        userName: 'x',
        emails: [{ value: 'a@evil.test', primary: { toString: 1 }, type: { valueOf: 1 } }],
      }),
      'invalidValue',
    ],
    ['active as another word', JSON.stringify({ userName: 'x', active: 'maybe' }), 'invalidValue'],
    ['a long user name', JSON.stringify({ userName: 'x'.repeat(300) }), 'invalidValue'],
  ])('with %s is refused', async (_, body, scimType) => {
    expect(await scim('POST', '/Users', body)).toMatchObject({
      status: 400,
      body: { schemas: [ERROR], status: '400', scimType },
    });
  });

  it('that is too large is refused', async () => {
    const reply = await scim('PATCH', at, patchOp({ op: 'add', path: 'title', value: 'x'.repeat(70_000) }));
    expect(reply).toMatchObject({ status: 413, body: { schemas: [ERROR], status: '413' } });
  });

  it('stores no unknown attributes', async () => {
    const email = `grace@${team.domain}`;
    const more = JSON.parse(
      '{"__proto__":{"active":false},"constructor":1,"role":"owner","platform_role":"admin","id":"scu_mine","user_id":1}',
    ) as object;
    const created = await scim('POST', '/Users', entraUser(email, more));
    expect(created).toMatchObject({ status: 201, body: { active: true } });
    expect(created.body.id).not.toBe('scu_mine');
    expect(JSON.stringify(created.body)).not.toContain('owner');
    expect(await team.role(email)).toBe('viewer');
  });
});

describe('a PATCH', () => {
  it.each([
    ['no operations', { Operations: [] }],
    [
      'too many operations',
      patchOp(...Array.from({ length: 101 }, () => ({ op: 'add', path: 'x', value: 1 }))),
    ],
    ['an operation that is an object', patchOp({ op: { toString: 1 }, path: 'active', value: false })],
    ['an unknown operation', patchOp({ op: 'move', path: 'active', value: false })],
    ['a path that is no text', patchOp({ op: 'replace', path: ['active'], value: false })],
    ['a removal without a path', patchOp({ op: 'remove', value: { active: false } })],
    ['a removal of the user name', patchOp({ op: 'remove', path: 'userName' })],
    [
      'an address elsewhere',
      patchOp(
        { op: 'replace', path: 'userName', value: 'x' },
        { op: 'replace', path: 'emails', value: [{ value: 'ada@evil.test' }] },
      ),
    ],
    ['active as another word', patchOp({ op: 'replace', path: 'active', value: 'gone' })],
  ])('with %s is refused and changes nothing', async (_, body) => {
    const before = (await scim('GET', at)).body;
    expect(await scim('PATCH', at, body)).toMatchObject({ status: 400, body: { schemas: [ERROR] } });
    expect((await scim('GET', at)).body).toEqual(before);
  });

  it('can’t take another user’s name or address', async () => {
    const email = `taken@${team.domain}`;
    await scim('POST', '/Users', entraUser(email));
    for (const path of ['userName', 'emails[type eq "work"].value'])
      expect(await scim('PATCH', at, patchOp({ op: 'Replace', path, value: email }))).toMatchObject({
        status: 409,
        body: { scimType: 'uniqueness' },
      });
  });
});

it.each([
  ['GET', '/Users/unknown', 404],
  ['GET', '/Users/scu_%00', 404],
  ['GET', '/Users/%E0%A4%A', 400],
  ['GET', '/Nothing', 404],
  ['POST', '/Groups', 501],
  ['POST', '/Bulk', 501],
  ['GET', '/Me', 501],
])('%s %s has an error in SCIM’s format', async (method, path, status) => {
  const reply = await scim(method, path, method === 'POST' ? {} : undefined);
  expect(reply).toMatchObject({
    status,
    body: { schemas: [ERROR], status: String(status), detail: expect.any(String) },
  });
  expect(reply.headers.get('content-type')).toMatch(/^application\/scim\+json/);
});

it('creates one account for concurrent requests', async () => {
  const email = `once@${team.domain}`;
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => scim('POST', '/Users', entraUser(email))),
  );
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
});
