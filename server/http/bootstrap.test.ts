import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server';

/** A server that is open to everybody from its first second, with its administrator named. */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { TEEHOUSE_ROLE: 'web', TEEHOUSE_ADMIN_EMAIL: 'Chosen@example.test', SIGN_IN_ATTEMPTS: '100000' },
  });
});
afterAll(() => server.stop());

it('a stranger who registers first is no administrator; the one named is', async () => {
  const stranger = await server.register('stranger@example.test');
  const chosen = await server.register('chosen@example.test');
  expect((await stranger.call('listAdminNodes')).status).toBe(403);
  expect((await chosen.call('listAdminNodes')).status).toBe(200);
});
