import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeviceCode, DeviceToken } from '../../../generated/api/types.gen';
import { hashToken } from '../../domain/token';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
let server: TestServer;
let alice: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  alice = await server.register('alice@example.test');
});
afterAll(() => server.stop());

const begin = async (scope = 'user:profile cvms:* nodes:*') => {
  const answer = await server.anonymous.call('createDeviceCode', { body: { client_id: 'phala-cli', scope } });
  expect(answer.status).toBe(200);
  return answer.body as DeviceCode;
};
const poll = ({ device_code }: DeviceCode) =>
  server.anonymous.call('createDeviceToken', { body: { device_code, grant_type: GRANT } });
const errorOf = async (code: DeviceCode) => {
  const { status, body } = await poll(code);
  expect(status).toBe(400);
  return (body as unknown as { detail: { error: string; error_description: string } }).detail;
};
/** As if the last poll and the wait before it were long over. */
const later = (code: DeviceCode, change: Record<string, unknown> = { last_polled_at: null }) =>
  server.services.db
    .updateTable('device_authorizations')
    .set(change)
    .where('device_code_hash', '=', hashToken(code.device_code))
    .execute();
const decide = (person: TestClient, code: DeviceCode, body: object) =>
  person.call('decideDeviceAuthorization', { body: { user_code: code.user_code, ...body } });
const approve = (code: DeviceCode) => decide(alice, code, { decision: 'approve', workspace_slug: 'alice' });

describe('a command-line login', () => {
  it('ends with a token that works as the person, in the team they chose, once', async () => {
    const code = await begin();
    expect(code).toMatchObject({ expires_in: 900, interval: 5 });
    expect(code.verification_uri_complete).toBe(`${server.url}/cli/verify?user_code=${code.user_code}`);
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });

    const seen = await alice.call('getDeviceAuthorization', {
      path: { user_code: code.user_code.toLowerCase() },
    });
    expect(seen.body).toMatchObject({
      client_id: 'phala-cli',
      scopes: ['user:profile', 'cvms:*', 'nodes:*'],
      state: 'pending',
    });
    expect((await approve(code)).body).toMatchObject({ state: 'approved' });

    const answer = await poll(code);
    expect(answer.status).toBe(200);
    const token = answer.body as DeviceToken;
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 7_776_000 });
    expect(token.access_token).toMatch(/^thk_cli_/);
    const me = await server.anonymous.with({ 'x-api-key': token.access_token }).call('getCurrentUser');
    expect(me.body).toMatchObject({ user: { username: 'alice' }, workspace: { slug: 'alice' } });
    expect(await errorOf(code)).toMatchObject({ error: 'invalid_grant' });
    const after = await alice.call('getDeviceAuthorization', { path: { user_code: code.user_code } });
    expect(after.body).toMatchObject({ state: 'approved' });

    const stored = JSON.stringify([
      await server.services.db.selectFrom('device_authorizations').selectAll().execute(),
      await server.services.db.selectFrom('api_tokens').selectAll().execute(),
      await server.services.db.selectFrom('audit_log').selectAll().execute(),
    ]);
    expect(stored).not.toContain(token.access_token);
    expect(stored).not.toContain(code.device_code);
    expect(stored).toContain('token.create');
  });

  it('gives one token to many polls at once', async () => {
    const code = await begin();
    await approve(code);
    const answers = await Promise.all(Array.from({ length: 8 }, () => poll(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  it('slows a client down that polls too fast, more each time', async () => {
    const code = await begin();
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });
    expect(await errorOf(code)).toMatchObject({ error: 'slow_down' });
    // Ten seconds are asked for now, so six are too few and eleven are not.
    await later(code, { last_polled_at: new Date(Date.now() - 6_000) });
    expect(await errorOf(code)).toMatchObject({ error: 'slow_down' });
    await later(code, { last_polled_at: new Date(Date.now() - 16_000) });
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });
  });

  it('can be denied, and then not approved any more', async () => {
    const code = await begin();
    expect((await decide(alice, code, { decision: 'deny' })).body).toMatchObject({ state: 'denied' });
    expect((await approve(code)).status).toBe(409);
    expect(await errorOf(code)).toMatchObject({ error: 'access_denied' });
  });

  it('expires, approved or not', async () => {
    const [waiting, approved] = [await begin(), await begin()];
    await approve(approved);
    const past = { expires_at: new Date(Date.now() - 1000) };
    await later(waiting, past);
    await later(approved, past);
    expect(await errorOf(waiting)).toMatchObject({ error: 'expired_token' });
    expect(await errorOf(approved)).toMatchObject({ error: 'expired_token' });
    expect((await approve(waiting)).status).toBe(409);
    const seen = await alice.call('getDeviceAuthorization', { path: { user_code: waiting.user_code } });
    expect(seen.body).toMatchObject({ state: 'expired' });
  });

  it('cannot be approved for a team of others, without a team, by a token or by nobody', async () => {
    const bob = await server.register('bob@example.test');
    const code = await begin();
    expect((await decide(bob, code, { decision: 'approve', workspace_slug: 'alice' })).status).toBe(404);
    expect((await decide(bob, code, { decision: 'approve' })).status).toBe(422);
    const other = await begin();
    await approve(other);
    const { access_token } = (await poll(other)).body as DeviceToken;
    const token = server.anonymous.with({ 'x-api-key': access_token });
    expect((await decide(token, code, { decision: 'approve', workspace_slug: 'alice' })).status).toBe(403);
    expect((await decide(server.anonymous, code, { decision: 'deny' })).status).toBe(401);
    expect(await errorOf(code)).toMatchObject({ error: 'authorization_pending' });
  });

  it('is not found under a code that nobody has', async () => {
    for (const user_code of ['BCDF-GHJK', 'abc!', '12345678'])
      expect((await alice.call('getDeviceAuthorization', { path: { user_code } })).status).toBe(404);
    const unknown = { device_code: 'thk_dev_nope', expires_in: 1, interval: 1 } as DeviceCode;
    expect(await errorOf(unknown)).toMatchObject({ error: 'invalid_grant' });
  });

  it('gives a token no more than was asked for and shown', async () => {
    const code = await begin('nodes:*');
    await approve(code);
    const { access_token } = (await poll(code)).body as DeviceToken;
    const token = server.anonymous.with({ 'x-api-key': access_token });
    expect((await token.call('listAvailableTeepods')).status).toBe(200);
    expect((await token.call('listApps')).status).toBe(403);
    expect((await token.call('createWorkspace', { body: { name: 'Mine' } })).status).toBe(403);
  });
});
