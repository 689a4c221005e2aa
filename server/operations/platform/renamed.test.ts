import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAdminTest, type AdminTest } from '../core/admin/testing/admin';

/** A server whose agent framework and chat bot have other names. */
let test: AdminTest;
beforeAll(async () => {
  test = await startAdminTest({
    TEEHOUSE_ROLE: 'web',
    AGENT_FRAMEWORK: 'wizard',
    CHAT_BOT_SERVICE: 'signal',
  });
});
afterAll(() => test?.server.stop());

it('returns the configured names to signed-out visitors', async () => {
  const { body } = await test.server.anonymous.call('getSession');
  expect(body.environment).toMatchObject({ agent_framework: 'wizard', chat_bot_service: 'signal' });
});

it("reserves the framework's page address", async () => {
  const chosen = await test.member.call('createWorkspace', { body: { name: 'Mine', slug: 'wizard' } });
  expect(chosen.status).toBe(422);
  const derived = await test.member.call('createWorkspace', { body: { name: 'Wizard' } });
  expect(derived.status).toBe(201);
  expect((derived.body as { slug: string }).slug).not.toBe('wizard');
});

it('returns the configured chat service', async () => {
  const { status, body } = await test.admin.call('getAdminChat');
  expect([status, (body as { service: string }).service]).toEqual([200, 'signal']);
});
