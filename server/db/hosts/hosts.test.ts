import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server';
import { registerLocalHost } from './hosts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
});
afterAll(() => server?.stop());

const register = () =>
  registerLocalHost(server.services.db, {
    url: 'unix:/tmp/none.sock',
    engine: 'simulated',
    gateway_base_domain: null,
    k256_pubkey: '02',
    ca_pubkey: null,
    max_cvms: 16,
    max_vcpu: 32,
    max_memory_mb: 65_536,
    max_disk_gb: 1000,
    all_teams: true,
    device_id: 'd1'.repeat(32),
    chain_kms: null,
    webhook_token: 'thk_kms_unused',
  });

it('a local teepod that is back has no error from before', async () => {
  const { db } = server.services;
  await register();
  await db
    .updateTable('teepods')
    .set({ reachable: false, reachable_since: null, last_error: 'connect ECONNREFUSED' })
    .execute();
  await register();
  const admin = await server.register('admin@example.test');
  const { body } = await admin.call('listAdminTeepods', {});
  expect(body).toMatchObject([{ name: 'local-teepod', reachable: true, last_error: null }]);
});
