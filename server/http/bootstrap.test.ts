import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailsTo } from '../testing/mail';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

/** A server with open registration and a named administrator. */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { TEEHOUSE_ROLE: 'web', TEEHOUSE_ADMIN_EMAIL: 'Chosen@example.test', SIGN_IN_ATTEMPTS: '100000' },
  });
});
afterAll(() => server.stop());

it('makes the configured account an administrator once its address is confirmed, not the first to register', async () => {
  const stranger = await server.register('stranger@example.test');
  const chosen = await server.register('chosen@example.test');
  const status = async (client: TestClient) => (await client.call('listAdminNodes')).status;
  expect([await status(stranger), await status(chosen)]).toEqual([403, 403]);
  const [mail] = await mailsTo(server.services, 'chosen@example.test');
  expect((await chosen.call('verifyEmail', { body: { token: mail?.token } })).status).toBe(200);
  expect([await status(stranger), await status(chosen)]).toEqual([403, 200]);
});
