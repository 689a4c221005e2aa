import { afterAll, beforeAll, expect, it } from 'vitest';
import { setKmsToken } from '../../db/kms/kmsWebhooks';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertRevision,
  type TestApp,
} from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Answers about boots with a KMS that has no contract and asks this server. */
const DEVICE = 'd1'.repeat(32);
let server: TestServer;
let member: TestClient;
let made: TestApp;
let cvm_id: string;
let current: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  const { db } = server.services;
  member = await server.register();
  const who = await identityOf(db, member.email ?? '');
  const host = await insertHost(db, { kind: 'dstack_vmm' });
  await db
    .updateTable('nodes')
    .set({ device_id: `0x${DEVICE}` })
    .execute();
  await db.transaction().execute((trx) => setKmsToken(trx, host.kms.id, 'thk_kms_test'));
  made = await insertApp(db, { ...who, host, name: 'asked' });
  const next = await insertRevision(db, {
    app: made.app,
    number: 2,
    name: 'asked',
    compose: 'services: {}\n',
  });
  const cvm = await insertCvm(db, { ...made, ...who, host, change: { revision_id: next.id } });
  cvm_id = cvm.public_id;
  current = next.compose_hash;
});
afterAll(() => server?.stop());

async function ofApp(compose_hash: string, device_id?: string) {
  const body = { compose_hash, ...(device_id === undefined ? {} : { device_id }) };
  const reply = await member.call('checkAppIsAllowed', { path: { app_id: made.app.app_id }, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}
const ofCvm = async () => (await member.call('checkCvmIsAllowed', { path: { cvm_id }, body: {} })).body;

it('allows only what a CVM runs, on its machine, like the KMS does', async () => {
  const allowed = { is_allowed: true, allow_any_device: false, device_id_allowed: true, error: null };
  expect(await ofCvm()).toMatchObject(allowed);
  expect(await ofApp(current)).toMatchObject(allowed);
  expect(await ofApp(current, DEVICE)).toMatchObject(allowed);
  expect(await ofApp(made.revision.compose_hash)).toMatchObject({
    is_allowed: false,
    compose_hash_allowed: false,
    error: 'Compose hash not allowed',
  });
  expect(await ofApp(current, 'd2'.repeat(32))).toMatchObject({
    is_allowed: false,
    device_id_allowed: false,
    error: 'Device not allowed',
  });
});

it('allows no CVM whose OS image has no confirmed hash', async () => {
  const { db } = server.services;
  await db.updateTable('os_images').set({ os_image_hash_source: 'host' }).execute();
  expect(await ofCvm()).toMatchObject({
    is_allowed: false,
    error: "OS image is not allowed: the hash of this app's OS image is not known, or not confirmed",
  });
});
