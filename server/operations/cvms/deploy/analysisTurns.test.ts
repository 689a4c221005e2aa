import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** Compose file analysis takes turns per user. */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
});
afterAll(() => server.stop());

it("queues a user's files together across teams", async () => {
  const owners: string[] = [];
  const { compose } = server.services;
  const { analyze } = compose;
  vi.spyOn(compose, 'analyze').mockImplementation((text, owner, context) => {
    owners.push(owner);
    return analyze.call(compose, text, owner, context);
  });
  const preflight = (client: TestClient, slug: string) =>
    client.with({ 'x-workspace': slug }).call('deployPreflight', {
      body: {
        name: 'attack',
        compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx\n' },
      },
    });
  const greedy = await server.register();
  const second = await greedy.call('createWorkspace', { body: { name: 'Second' } });
  await preflight(greedy, greedy.slug ?? '');
  await preflight(greedy, second.body.slug);
  expect(owners.length).toBeGreaterThanOrEqual(2);
  expect(new Set(owners).size).toBe(1);
  const modest = await server.register();
  await preflight(modest, modest.slug ?? '');
  expect(new Set(owners).size).toBe(2);
});
