import { getContractAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminKms, AdminKmsContract } from '../../../../generated/api/types.gen';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { troublesOf } from '../../../db/platform/alertTroubles';
import { checkChains } from '../../../jobs/kms/checkChains';
import { checkDueKms } from '../../../jobs/kms/checkKms';
import { indexDueContracts } from '../../../jobs/kms/indexContracts';
import { readDueContracts } from '../../../jobs/kms/readContracts';
import { identityOf, insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../../testing/chain';
import type { TestClient, TestServer } from '../../../testing/server';
import { problemOf, startAdminTest, unique, type AdminTest } from '../../core/admin/testing/admin';

const OTHER_KEY = `03${'ab'.repeat(32)}`;
let server: TestServer;
let admin: TestClient;
let member: TestClient;
let audits: AdminTest['audits'];
let fake: FakeVmm;
let chain: TestChain;
let gate: RpcGate;

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  ({ server, admin, member, audits } = await startAdminTest({ LOCAL_CHAIN_RPC_URL: gate.url }));
  fake = await startFakeVmm();
});

afterAll(async () => {
  await server?.stop();
  await fake?.close();
  await gate?.close();
  await chain?.stop();
});

const create = (body: Record<string, unknown> = {}) =>
  admin.call('createAdminKms', { body: { slug: unique('kms'), url: `${fake.url}/kms`, ...body } });
const made = async (body: Record<string, unknown> = {}) => {
  const reply = await create(body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body as AdminKms;
};
const check = async (id: number) => (await admin.call('checkAdminKms', { path: { id } })).body as AdminKms;
const serveOtherKey = (on: boolean) =>
  fake.on('/kms/prpc/GetMeta', (_, response) =>
    on ? response.end(JSON.stringify({ ca_cert: '', k256_pubkey: OTHER_KEY, is_dev: true })) : 'pass',
  );

describe('a key management service', () => {
  it('is queried for its keys, which are shown but not pinned automatically', async () => {
    const kms = await made();
    expect(kms).toMatchObject({
      health: 'unpinned',
      k256_pubkey: null,
      seen_k256_pubkey: fakeKmsRoot.k256_pubkey,
      local: false,
      teepod_count: 0,
    });
    expect(kms.notices.join(' ')).toMatch(/No k256 root key is pinned.*development mode/);
    const pinned = await admin.call('updateAdminKms', {
      path: { id: kms.id },
      body: { k256_pubkey: fakeKmsRoot.k256_pubkey },
    });
    expect(pinned.body).toMatchObject({ health: 'ok', k256_pubkey: fakeKmsRoot.k256_pubkey });
    expect((await audits('kms', kms.id)).map(({ action }) => action)).toEqual(['kms.create', 'kms.update']);
  });

  it('raises an alarm while its keys differ from the pinned ones', async () => {
    const kms = await made({ k256_pubkey: fakeKmsRoot.k256_pubkey });
    expect(kms.health).toBe('ok');
    serveOtherKey(true);
    await server.services.db.updateTable('kms').set({ checked_at: null }).where('id', '=', kms.id).execute();
    await checkDueKms(server.services);
    const alarmed = (await admin.call('getAdminKms', { path: { id: kms.id } })).body as AdminKms;
    expect(alarmed).toMatchObject({
      health: 'alarm',
      k256_pubkey: fakeKmsRoot.k256_pubkey,
      seen_k256_pubkey: OTHER_KEY,
    });
    expect(alarmed.notices[0]).toContain('k256 root key differs');
    // A later failure to answer doesn't clear the alarm.
    fake.on('/kms/prpc/GetMeta', (_, response) => response.writeHead(400).end('{"error":"down"}'));
    expect(await check(kms.id)).toMatchObject({
      health: 'alarm',
      last_error: expect.stringContaining('down'),
    });
    serveOtherKey(false);
    expect(await check(kms.id)).toMatchObject({ health: 'ok', last_error: null });
    const trail = await audits('kms', kms.id);
    expect(trail.filter(({ action }) => action === 'kms.keys_differ')).toHaveLength(1);
    expect(trail.filter(({ action }) => action === 'kms.keys_as_pinned')).toHaveLength(1);
    expect(trail.find(({ action }) => action === 'kms.keys_differ')?.after).toMatchObject({
      k256_pubkey: OTHER_KEY,
    });
  });

  it('is not reported as down while only its webhook is', async () => {
    const kms = await made({ k256_pubkey: fakeKmsRoot.k256_pubkey });
    // As recorded from dstack-kms 0.6.0.
    const error =
      'error sending request for url (http://127.0.0.1:19300/): client error (Connect): tcp connect error: Connection refused (os error 111)';
    fake.on('/kms/prpc/GetMeta', (_, response) => response.writeHead(400).end(JSON.stringify({ error })));
    const { last_error } = await check(kms.id);
    fake.on('/kms/prpc/GetMeta', () => 'pass');
    expect(last_error).toMatch(/^It responds, but the webhook that authorizes its apps doesn't/);
    expect(last_error).toContain('auth_api.webhook.url');
    expect(await check(kms.id)).toMatchObject({ health: 'ok', last_error: null });
  });

  it('is saved with the error when unreachable, and rejected with an invalid URL', async () => {
    const silent = await made({ url: 'http://127.0.0.1:9/kms' });
    expect(silent).toMatchObject({ health: 'unreachable', answered_at: null });
    expect(silent.last_error).toBeTruthy();
    const wrong = await create({ url: 'https://user:pass@kms.example' });
    expect(wrong.status).toBe(422);
    const body = { slug: unique('twice'), url: 'http://127.0.0.1:9/kms' };
    const twice = () => admin.call('createAdminKms', { body, headers: { 'idempotency-key': body.slug } });
    const [once, again] = [await twice(), await twice()];
    expect([once.status, again.status, again.body.id]).toEqual([201, 201, once.body.id]);
    expect(problemOf(wrong.body).detail.details[0]?.field).toBe('url');
    expect((await create({ slug: silent.slug })).status).toBe(409);
    expect((await create({ k256_pubkey: 'abc' })).status).toBe(422);
    expect((await admin.call('checkAdminKms', { path: { id: 999_999 } })).status).toBe(404);
  });

  it('shows its count of verified attestations, its age, and the last error', async () => {
    const counters = (requests: number) =>
      `# TYPE dstack_kms_attestation_requests_total counter\ndstack_kms_attestation_requests_total ${requests}\n` +
      'dstack_kms_attestation_failures_total 1\n';
    fake.on('/kms/metrics', (_, response) => response.end(counters(3)));
    const kms = await made();
    expect(kms).toMatchObject({ attestation_requests: 3, attestation_failures: 1, metrics_error: null });
    expect(kms.metrics_at).toBe(kms.checked_at);
    // A truncated value isn't a number.
    fake.on('/kms/metrics', (_, response) => response.end(counters(42).trimEnd()));
    const broken = await check(kms.id);
    expect(broken).toMatchObject({ attestation_requests: 3, metrics_at: kms.metrics_at, health: 'unpinned' });
    expect(broken.metrics_error).toContain('lack the counters');
    fake.on('/kms/metrics', (_, response) => response.end('#'.repeat(70_000) + `\n${counters(42)}`));
    expect(await check(kms.id)).toMatchObject({ attestation_requests: 3 });
    fake.on('/kms/metrics', (_, response) => response.writeHead(404).end('<html>'));
    expect((await check(kms.id)).metrics_error).toContain('HTTP 404');
    fake.on('/kms/metrics', (_, response) => response.end(counters(42)));
    expect(await check(kms.id)).toMatchObject({ attestation_requests: 42, metrics_error: null });
  });

  it('is retired and deleted only when nothing depends on its keys', async () => {
    const { db } = server.services;
    const host = await insertHost(db);
    const { team_id } = await identityOf(db, member.email ?? '');
    const app = await insertApp(db, { team_id, host, name: unique('keyed') });
    const cvm = await insertCvm(db, { ...app, host });
    const path = { id: host.kms.id };
    const patch = (body: Record<string, unknown>) => admin.call('updateAdminKms', { path, body });
    expect((await admin.call('getAdminKms', { path })).body).toMatchObject({
      teepod_count: 1,
      app_count: 1,
      cvm_count: 1,
      // Its only teepod is of kind local in this fixture.
      local: true,
    });
    expect((await patch({ url: 'http://127.0.0.1:9/other' })).status).toBe(422);
    const contract = { chain: 'base', kms_contract_address: `0x${'2'.repeat(40)}` };
    for (const body of [contract, { kms_contract_address: contract.kms_contract_address }]) {
      const moved = await patch(body);
      expect(moved.status).toBe(409);
      expect(problemOf(moved.body).detail.message).toContain('One app uses the contract of');
    }
    const refused = await patch({ state: 'retired' });
    expect(refused.status).toBe(409);
    expect(problemOf(refused.body).detail.message).toContain('One CVM gets keys');
    const etag = (await admin.call('getAdminKms', { path })).headers.get('etag') ?? '';
    expect((await patch({ state: 'retiring' })).body).toMatchObject({ state: 'retiring' });
    const stale = await admin.call('updateAdminKms', {
      path,
      body: { state: 'active' },
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    await db.updateTable('cvms').set({ deleted_at: new Date() }).where('id', '=', cvm.id).execute();
    expect((await patch({ state: 'retired' })).body).toMatchObject({ state: 'retired' });
    expect((await admin.call('deleteAdminKms', { path })).status).toBe(409);
    const unused = await made();
    expect((await admin.call('deleteAdminKms', { path: { id: unused.id } })).status).toBe(204);
    const rows = await admin.call('listAdminKms', { query: { filter: JSON.stringify({ local: true }) } });
    expect((rows.body as AdminKms[]).map(({ id }) => id)).toEqual([host.kms.id]);
  });
});

describe('the second KMS of the built-in teepod', () => {
  it('counts as built in, and has no counters to miss', async () => {
    const { db } = server.services;
    const { teepod } = await insertHost(db);
    const { id } = await made();
    await db.insertInto('teepod_kms').values({ teepod_id: teepod.id, kms_id: id }).execute();
    fake.on('/kms/metrics', (_, response) => response.writeHead(404).end());
    const checked = await check(id);
    fake.on('/kms/metrics', () => 'pass');
    expect(checked).toMatchObject({ local: true, teepod_count: 1, metrics_error: null });
    expect(checked.notices.join(' ')).toContain('The built-in KMS of the local teepod');
    const reply = await admin.call('updateAdminKms', {
      path: { id },
      body: { url: 'http://127.0.0.1:9/kms' },
    });
    expect(reply.status).toBe(422);
    await db.deleteFrom('teepod_kms').where('kms_id', '=', id).execute();
  });
});

describe('a KMS contract', () => {
  let kms: AdminKms;
  let contract: TestContract;
  let id: number;
  const read = async () =>
    (await admin.call('readAdminKmsContract', { path: { id } })).body as AdminKmsContract;

  beforeAll(async () => {
    kms = await made({ k256_pubkey: fakeKmsRoot.k256_pubkey });
    contract = await chain.deployKms('0.5.9');
    const info = { k256Pubkey: `0x${fakeKmsRoot.k256_pubkey}`, caPubkey: '0x', quote: '0x', eventlog: '0x' };
    await contract.send('setKmsInfo', [info]);
    await contract.send('addOsImageHash', [`0x${'cd'.repeat(32)}`]);
  });

  it('is read when added: owner, pinned keys, images by name, block and time', async () => {
    const body = { label: 'Local', chain: 'local', address: contract.address, kms_id: kms.id };
    const reply = await admin.call('createAdminKmsContract', {
      body,
      headers: { 'idempotency-key': unique('contract') },
    });
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    const row = reply.body as AdminKmsContract;
    ({ id } = row);
    expect(row).toMatchObject({
      address: contract.address.toLowerCase(),
      chain: 'local',
      health: 'ok',
      code_present: true,
      keys_match: true,
      os_images: [{ os_image_hash: `0x${'cd'.repeat(32)}`, name: 'dstack-0.6.0', allowed: true }],
      complete: true,
      notices: [],
    });
    expect(row.block_number).toBeGreaterThan(0);
    expect(row.read_at).not.toBeNull();
    expect((await admin.call('createAdminKmsContract', { body })).status).toBe(409);
    const unknownKms = await admin.call('createAdminKmsContract', { body: { ...body, kms_id: 999_999 } });
    expect(problemOf(unknownKms.body).detail.details[0]?.field).toBe('kms_id');
    expect((await admin.call('getAdminKms', { path: { id: kms.id } })).body).toMatchObject({
      contract_count: 1,
    });
  });

  it("tells whether an app would get its keys, with the contract's reason", async () => {
    const app_id = getContractAddress({ from: contract.address, nonce: 1n }).slice(2);
    const [compose_hash, device_id, os_image_hash] = ['11', '22', 'cd'].map((byte) => byte.repeat(32));
    const tryApp = async (change: Record<string, unknown> = {}, by = admin) => {
      const body = { app_id, compose_hash, device_id, os_image_hash, ...change };
      return by.call('tryAdminKmsContractApp', { path: { id }, body });
    };
    const verdict = async (change?: Record<string, unknown>) => {
      const { status, body } = await tryApp(change);
      expect(status, JSON.stringify(body)).toBe(200);
      return [body.verdict, body.reason];
    };
    expect(await verdict()).toEqual(['refused', 'App not registered']);
    const policy = [contract.owner, false, true, false, `0x${device_id}`, `0x${compose_hash}`];
    await contract.send('deployAndRegisterApp', policy);
    expect(await verdict()).toEqual(['allowed', null]);
    const forms = { app_id: `app_${app_id.toUpperCase()}`, compose_hash: `0x${compose_hash}` };
    expect(await verdict(forms)).toEqual(['allowed', null]);
    expect(await verdict({ os_image_hash: undefined })).toEqual(['refused', 'OS image is not allowed']);
    expect(await verdict({ compose_hash: '33'.repeat(32) })).toEqual(['refused', 'Compose hash not allowed']);
    expect(await verdict({ device_id: undefined })).toEqual(['refused', 'Device not allowed']);
    expect(await verdict({ tcb_status: 'OutOfDate' })).toEqual(['refused', 'TCB status is not up to date']);
    const { body } = await tryApp();
    expect(body.block_number).toBeGreaterThan(0);
    gate.mode = 'status_500';
    const silent = await tryApp();
    gate.mode = 'open';
    expect(silent.body).toMatchObject({ verdict: 'unanswered', block_number: null });
    expect(JSON.stringify(silent.body)).toContain('500');
    expect(JSON.stringify(silent.body)).not.toContain('key-9f3a');
    expect((await tryApp({ app_id: 'ff' })).status).toBe(422);
    expect((await tryApp({}, member)).status).toBe(403);
    const nowhere = { path: { id: 999_999 }, body: { app_id, compose_hash } };
    expect((await admin.call('tryAdminKmsContractApp', nowhere)).status).toBe(404);
  });

  it('keeps the last known state, with its age, while the chain is unreachable', async () => {
    const before = await read();
    gate.mode = 'status_500';
    const unreachable = await read();
    gate.mode = 'open';
    expect(unreachable).toMatchObject({
      health: 'unreachable',
      owner: before.owner,
      read_at: before.read_at,
    });
    expect(unreachable.last_error).toContain('status 500');
    expect(unreachable.last_error).not.toContain('key-9f3a');
    expect(Date.parse(unreachable.attempted_at ?? '')).toBeGreaterThan(Date.parse(unreachable.read_at ?? ''));
    expect(await read()).toMatchObject({ health: 'ok', last_error: null });
  });

  it('is named in an alert while its network’s RPC is unusable', async () => {
    const alerts = async () => {
      await checkChains(server.services);
      const troubles = await troublesOf(server.services.db);
      return troubles.filter(({ kind }) => kind === 'chain_rpc');
    };
    gate.mode = 'status_500';
    expect(await alerts()).toMatchObject([
      {
        subject: 'chain:31337',
        severity: 'critical',
        message: expect.stringContaining('status 500') as string,
      },
    ]);
    gate.mode = 'open';
    expect(await alerts()).toEqual([]);
  });

  it('records changes, and raises an alarm for different keys', async () => {
    await contract.send('setGatewayAppId', ['any']);
    const other = { k256Pubkey: `0x${OTHER_KEY}`, caPubkey: '0x', quote: '0x', eventlog: '0x' };
    await contract.send('setKmsInfo', [other]);
    await contract.send('transferOwnership', [`0x${'7'.repeat(40)}`]);
    // Read a moment ago, but its events make it due again.
    await server.services.db.updateTable('kms_contracts').set({ attempted_at: new Date() }).execute();
    await server.services.db.updateTable('contract_indexes').set({ attempted_at: null }).execute();
    await indexDueContracts(server.services);
    await readDueContracts(server.services);
    const row = (await admin.call('getAdminKmsContract', { path: { id } })).body as AdminKmsContract;
    expect(row).toMatchObject({ health: 'alarm', keys_match: false, owner: `0x${'7'.repeat(40)}` });
    expect(row.notices).toEqual([
      'The contract’s keys differ from those pinned for its KMS.',
      expect.stringContaining('“any”'),
    ]);
    // A node that can't answer for the keys right now doesn't clear the alarm.
    gate.answers = ({ text }) =>
      text.includes('0x09177063')
        ? { status: 200, error: { code: -32000, message: 'header not found' } }
        : null;
    const unread = await read();
    gate.answers = null;
    expect(unread).toMatchObject({ health: 'alarm', keys_match: false });
    expect(unread.last_error).toContain('header not found');
    const changed = (await audits('kms_contract', id)).find(
      ({ action }) => action === 'kms_contract.changed',
    );
    expect(changed?.before).toMatchObject({ k256_pubkey: fakeKmsRoot.k256_pubkey });
    expect(changed?.after).toMatchObject({ owner: `0x${'7'.repeat(40)}`, gateway_app_id: 'any' });
  });

  it('can be reassigned, retired, listed and deleted', async () => {
    const patch = (body: Record<string, unknown>) =>
      admin.call('updateAdminKmsContract', { path: { id }, body });
    expect((await patch({ kms_id: null })).body).toMatchObject({
      kms_id: null,
      keys_match: null,
      health: 'ok',
    });
    expect((await patch({ kms_id: 999_999 })).status).toBe(422);
    const etag = (await admin.call('getAdminKmsContract', { path: { id } })).headers.get('etag') ?? '';
    expect((await patch({ state: 'retired', label: 'Old' })).body).toMatchObject({ state: 'retired' });
    const stale = await admin.call('updateAdminKmsContract', {
      path: { id },
      body: { label: 'x' },
      headers: { 'if-match': etag },
    });
    expect(stale.status).toBe(412);
    const list = await admin.call('listAdminKmsContracts', {
      query: { filter: JSON.stringify({ chain: 'local', state: 'retired' }) },
    });
    expect(list.body).toMatchObject([{ id, label: 'Old' }]);
    expect((await member.call('deleteAdminKmsContract', { path: { id } })).status).toBe(403);
    expect((await admin.call('deleteAdminKmsContract', { path: { id } })).status).toBe(204);
    expect((await admin.call('readAdminKmsContract', { path: { id } })).status).toBe(404);
  });
});
