import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import type { ContractFacts } from '../../domain/kms/kmsContract';
import { identityOf, insertApp, insertCvm, insertHost, type TestHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const ADDRESS = `0x${'c0'.repeat(20)}`;
const ON_RECORD = 'ab'.repeat(20);
const FACTS: ContractFacts = {
  code_present: true,
  owner: null,
  pending_owner: null,
  app_implementation: null,
  gateway_app_id: null,
  k256_pubkey: null,
  ca_pubkey: null,
  os_images: [],
  devices: [],
  aggregated_mrs: [],
  app_count: 0,
  complete: true,
};
let server: TestServer;
let member: TestClient;
let host: TestHost;
let cvm_id: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  const { team_id } = await identityOf(db, member.email ?? '');
  host = await insertHost(db, { name: 'tdx-1', kind: 'dstack_vmm' });
  const app = await insertApp(db, { team_id, host, name: 'gated' });
  const cvm = await insertCvm(db, { ...app, host, change: { status: 'stopped' } });
  cvm_id = cvm.vm_uuid;
});
afterAll(() => server?.stop());

const register = (given: { chain_id: number | null; kms_contract_address: string | null }) =>
  server.services.db
    .updateTable('kms')
    .set({ gateway_app_id: ON_RECORD, ...given })
    .where('id', '=', host.kms.id)
    .execute();
const gateway = async () => {
  const { status, body } = await member.call('getCvmEvidence', { path: { cvm_id } });
  expect(status).toBe(200);
  return (body as CvmEvidence).kms?.gateway_app_id;
};

it('of a KMS is the one its contract names, whatever is on record', async () => {
  const { db } = server.services;
  await register({ chain_id: null, kms_contract_address: null });
  expect(await gateway()).toBe(ON_RECORD);

  await register({ chain_id: 8453, kms_contract_address: ADDRESS.replace('c', 'C') });
  expect(await gateway()).toBeNull();

  const facts = JSON.stringify({ ...FACTS, gateway_app_id: 'any' });
  await db
    .insertInto('kms_contracts')
    .values({ kms_id: host.kms.id, chain_id: 8453, address: ADDRESS, label: 'main', facts })
    .execute();
  expect(await gateway()).toBe('any');
  await db
    .updateTable('kms_contracts')
    .set({ facts: JSON.stringify({ ...FACTS, gateway_app_id: 'cd'.repeat(40) }) })
    .execute();
  expect(await gateway()).toHaveLength(42);
});
