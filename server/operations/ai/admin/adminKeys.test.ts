import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminAiKey, AdminAiUsage, CreatedAiKey } from '../../../../generated/api/types.gen';
import { startAiRequests } from '../../../jobs/billing/testing/aiRequests';
import { identityOf } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

let server: TestServer;
let admin: TestClient;
let owner: TestClient;
let team_id: number;
let created: CreatedAiKey;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  // The first user is an administrator.
  admin = await server.register();
  owner = await server.register();
  ({ team_id } = await identityOf(server.services.db, owner.email!));
  const { status, body } = await owner.call('createAiKey', {
    body: { name: 'Support', budget: '5', budget_period: 'week', models: ['teehouse/echo'] },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  created = body as CreatedAiKey;
});
afterAll(() => server?.stop());

const keys = async (query: Record<string, unknown> = {}) =>
  (await admin.call('listAdminAiKeys', { query })).body as AdminAiKey[];

it('lists the keys of every team with their limits and cost, without their secrets', async () => {
  const [key] = await keys({ filter: JSON.stringify({ team_id }) });
  expect(key).toMatchObject({
    team_id,
    name: 'Support',
    state: 'active',
    purpose: 'program',
    hint: created.key.hint,
    models: ['teehouse/echo'],
    budget: '5.00',
    budget_period: 'week',
    cost: '0.00',
  });
  expect(JSON.stringify(await keys())).not.toContain(created.secret);
  const one = await admin.call('getAdminAiKey', { path: { id: key!.id } });
  expect(one.body).toEqual(key);
  expect((await admin.call('getAdminAiKey', { path: { id: 999_999 } })).status).toBe(404);
});

it('adds up what each team used in 30 days', async () => {
  const request = startAiRequests(server.services.db);
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await request(team_id, { at: at(1), cost_picos: 1_500_000, input_tokens: 7, output_tokens: 3 });
  await request(team_id, { at: at(0), cost_picos: 2_000_000_000_000 });
  await request(team_id, { at: at(40), cost_picos: 9_000_000_000_000 });
  const { body } = await admin.call('listAdminAiUsage');
  expect(body).toMatchObject([
    {
      id: team_id,
      team_id,
      key_count: 2,
      requests: 2,
      input_tokens: 107,
      output_tokens: 13,
      cost: '2.000001',
    },
  ]);
  const one = await admin.call('getAdminAiUsage', { path: { id: team_id } });
  expect(one.body).toEqual((body as AdminAiUsage[])[0]);
  const costs = (await keys({ filter: JSON.stringify({ team_id }), sort: '["cost","DESC"]' })).map(
    ({ cost }) => cost,
  );
  expect(costs).toEqual(['2.000001', '0.00']);
});

it('shows which keys no longer work', async () => {
  await owner.call('revokeAiKey', { path: { ai_key_id: created.key.id } });
  expect(await keys({ filter: '{"state":"revoked"}' })).toMatchObject([
    { name: 'Support', state: 'revoked' },
  ]);
});

it('is for platform staff only', async () => {
  for (const operation of ['listAdminAiKeys', 'listAdminAiUsage'] as const) {
    expect((await owner.call(operation)).status).toBe(403);
    expect((await server.anonymous.call(operation)).status).toBe(401);
  }
});
