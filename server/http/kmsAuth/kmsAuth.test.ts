import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdminKms } from '../../../generated/api/types.gen';
import { createLogger } from '../../log';
import { problemOf, startAdminTest, type AdminTest } from '../../operations/core/admin/testing/admin';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../testing/chain';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertRevision,
  type TestHost,
} from '../../testing/cvmFixtures';
import { createMetrics } from '../metrics/metrics';
import { requestLog } from '../requestLog';

/** Requests of dstack's KMS before it releases keys, and the answers. */
const DEVICE = 'd1'.repeat(32);
const IMAGE = 'cd'.repeat(32);
const MR = 'ab'.repeat(32);
let test: AdminTest;
let chain: TestChain;
let gate: RpcGate;
let contract: TestContract;
/** Without a contract, and with one. */
let plain: TestHost;
let guarded: TestHost;

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  contract = await chain.deployKms();
  await contract.send('addOsImageHash', [`0x${IMAGE}`]);
  await contract.send('setGatewayAppId', ['0xGateway']);
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web', LOCAL_CHAIN_RPC_URL: gate.url });
  const { db } = test.server.services;
  plain = await insertHost(db, { kind: 'dstack_vmm' });
  guarded = await insertHost(db, { kind: 'dstack_vmm', chain_id: 31337 });
  await db
    .updateTable('kms')
    .set({ kms_contract_address: contract.address })
    .where('id', '=', guarded.kms.id)
    .execute();
  await db
    .updateTable('nodes')
    .set({ device_id: `0x${DEVICE}` })
    .execute();
});
afterAll(async () => {
  await test?.server.stop();
  await gate?.close();
  await chain?.stop();
});

async function webhookOf({ kms }: TestHost): Promise<string> {
  const reply = await test.admin.call('createAdminKmsWebhook', { path: { id: kms.id } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return (reply.body as { webhook_url: string }).webhook_url;
}

/** In dstack's format. */
const bootInfo = (change: Record<string, unknown> = {}) => ({
  teeVariant: 'dstack-tdx',
  mrAggregated: MR,
  osImageHash: IMAGE,
  mrSystem: 'ef'.repeat(32),
  appId: '12'.repeat(20),
  composeHash: '34'.repeat(32),
  instanceId: '56'.repeat(20),
  deviceId: DEVICE,
  keyProviderInfo: '',
  tcbStatus: 'UpToDate',
  advisoryIds: [],
  ...change,
});

async function ask(url: string, change: Record<string, unknown> = {}, subject: 'app' | 'kms' = 'app') {
  const response = await fetch(`${url}/bootAuth/${subject}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bootInfo(change)),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const reasonOf = async (...given: Parameters<typeof ask>) => {
  const { status, body } = await ask(...given);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(Object.keys(body).toSorted()).toEqual(['gatewayAppId', 'isAllowed', 'reason']);
  return body.isAllowed === true ? 'allowed' : body.reason;
};

it('has a URL that is shown once and is invalidated by a new one or revocation', async () => {
  const path = { id: plain.kms.id };
  const shown = async () => (await test.admin.call('getAdminKms', { path })).body as AdminKms;
  expect(await shown()).toMatchObject({ webhook_token: null, webhook_asked_at: null });
  const first = await webhookOf(plain);
  const [, token = ''] = /\/kms-auth\/(thk_kms_\w+)\/kms-host-/.exec(first) ?? [];
  expect(token).toHaveLength(46);
  expect((await ask(first)).status).toBe(200);
  expect(await shown()).toMatchObject({
    webhook_token: `${token.slice(0, 12)}…${token.slice(-4)}`,
    webhook_asked_at: expect.any(String) as string,
  });
  const second = await webhookOf(plain);
  expect([(await ask(first)).status, (await ask(second)).status]).toEqual([404, 200]);
  expect((await ask(second.replace(/thk_kms_\w+/, `thk_kms_${'x'.repeat(38)}`))).status).toBe(404);
  expect((await test.member.call('createAdminKmsWebhook', { path })).status).toBe(403);
  expect((await test.member.call('revokeAdminKmsWebhook', { path })).status).toBe(403);
  expect((await test.admin.call('revokeAdminKmsWebhook', { path })).body).toMatchObject({
    webhook_token: null,
  });
  expect((await ask(second)).status).toBe(404);
  const { rows } = await test.server.database.pool.query(
    `select (select string_agg(a::text, '') from audit_log a) || (select coalesce(string_agg(t::text, ''), '') from kms_tokens t) as text`,
  );
  expect(JSON.stringify(rows)).not.toContain(token);
});

it('answers by the contract’s current state, and audits each decision', async () => {
  const url = await webhookOf(guarded);
  const described = await (await fetch(url)).json();
  expect(described).toEqual({
    status: 'ok',
    kmsContractAddr: contract.address.toLowerCase(),
    ethRpcUrl: '',
    gatewayAppId: '0xGateway',
    chainId: 31337,
    appImplementation: expect.stringMatching(/^0x[0-9a-f]{40}$/) as string,
  });
  expect((await fetch(`${url}/`)).status).toBe(200);
  const compose_hash = '11'.repeat(32);
  const { address } = await contract.deployApp({ compose_hash, device_id: DEVICE });
  const app = contract.appAt(address);
  const boot = { appId: address.slice(2).toLowerCase(), composeHash: compose_hash };
  expect((await ask(url, boot)).body).toEqual({ isAllowed: true, gatewayAppId: '0xGateway', reason: '' });
  // Spelled as a KMS or another program may.
  expect(
    await reasonOf(url, { ...boot, appId: address, composeHash: `0x${compose_hash.toUpperCase()}` }),
  ).toBe('allowed');
  expect(await reasonOf(url, { ...boot, composeHash: '22'.repeat(32) })).toBe('Compose hash not allowed');
  expect(await reasonOf(url, { ...boot, deviceId: 'd2'.repeat(32) })).toBe('Device not allowed');
  expect(await reasonOf(url, { ...boot, osImageHash: '' })).toBe('OS image is not allowed');
  expect(await reasonOf(url)).toBe('App not registered');
  await app.send('setRequireTcbUpToDate', [true]);
  expect(await reasonOf(url, { ...boot, tcbStatus: 'OutOfDate' })).toBe('TCB status is not up to date');
  expect(await reasonOf(url, {}, 'kms')).toBe('Aggregated MR not allowed');
  await contract.send('addKmsAggregatedMr', [`0x${MR}`]);
  expect(await reasonOf(url, {}, 'kms')).toBe('KMS is not allowed to boot on this device');
  await contract.send('addKmsDevice', [`0x${DEVICE}`]);
  expect(await reasonOf(url, {}, 'kms')).toBe('allowed');

  // Earlier approvals don't count while the contract is unreachable.
  gate.mode = 'status_500';
  const silent = await ask(url, boot);
  const undescribed = await fetch(url);
  gate.mode = 'open';
  expect(silent.body).toEqual({
    isAllowed: false,
    gatewayAppId: '',
    reason: expect.stringMatching(/^The contract couldn't be queried: .*status 500/) as string,
  });
  expect(JSON.stringify(silent.body)).not.toContain('key-9f3a');
  expect(undescribed.status).toBe(503);
  await app.send('removeComposeHash', [`0x${compose_hash}`]);
  expect(await reasonOf(url, boot)).toBe('Compose hash not allowed');
  await test.server.services.db
    .updateTable('kms')
    .set({ state: 'retired' })
    .where('id', '=', guarded.kms.id)
    .execute();
  expect(await reasonOf(url, boot)).toBe('This KMS is retired');
  await test.server.services.db
    .updateTable('kms')
    .set({ state: 'active' })
    .where('id', '=', guarded.kms.id)
    .execute();

  const entries = (await test.audits('kms', guarded.kms.id)).filter(({ action }) =>
    action.startsWith('kms.boot'),
  );
  const ofApp = entries.filter(({ after }) => {
    const {
      app_id,
      compose_hash: hash,
      device_id,
      tcb_status,
      os_image_hash,
    } = after as Record<string, unknown>;
    return (
      app_id === boot.appId &&
      hash === compose_hash &&
      device_id === DEVICE &&
      tcb_status === 'UpToDate' &&
      os_image_hash === IMAGE
    );
  });
  // The repeated one is counted; each changed decision has an entry with the previous one.
  expect(ofApp.map(({ action }) => action)).toEqual([
    'kms.boot.allow',
    'kms.boot.refuse',
    'kms.boot.refuse',
    'kms.boot.refuse',
  ]);
  expect(ofApp[1]).toMatchObject({
    before: { allowed: true, decisions: 1 },
    after: { allowed: false, block_number: null },
  });
  expect(ofApp[0]?.after).toMatchObject({
    subject: 'app',
    allowed: true,
    decisions: 1,
    block_number: expect.any(Number) as number,
  });
});

it('answers for a KMS without a contract by what this server runs', async () => {
  const { db } = test.server.services;
  const url = await webhookOf(plain);
  expect(await (await fetch(url)).json()).toMatchObject({ status: 'ok', chainId: 0, gatewayAppId: '' });
  const { team_id } = await identityOf(db, test.member.email ?? '');
  const made = await insertApp(db, { team_id, host: plain, name: 'known' });
  const boot = { appId: made.app.app_id, composeHash: made.revision.compose_hash };
  expect(await reasonOf(url, boot)).toBe('App not registered');
  const cvm = await insertCvm(db, { ...made, host: plain });
  expect(await reasonOf(url, boot)).toBe('allowed');
  // Neither affects the decision about an app, so one entry covers all values.
  const other = { ...boot, instanceId: '57'.repeat(20), mrAggregated: 'ac'.repeat(32) };
  expect(await reasonOf(url, other)).toBe('allowed');
  const audited = await test.audits('app', made.app.app_id);
  expect(audited.map(({ action }) => action)).toEqual(['kms.boot.refuse', 'kms.boot.allow']);
  expect(audited[1]?.after).toMatchObject({ instance_id: '56'.repeat(20), mr_aggregated: MR });
  // Another KMS doesn't have its keys.
  expect(await reasonOf(await webhookOf(guarded), boot)).toBe('App not registered');
  expect(await reasonOf(url, { ...boot, osImageHash: 'ce'.repeat(32) })).toBe('OS image is not allowed');
  expect(await reasonOf(url, { ...boot, deviceId: 'd2'.repeat(32) })).toBe('Device not allowed');
  expect(await reasonOf(url, { ...boot, tcbStatus: 'OutOfDate' })).toBe('TCB status is not up to date');
  const advisory = { ...boot, advisoryIds: ['INTEL-SA-00615'] };
  expect(await reasonOf(url, advisory)).toBe('Advisory not allowed: INTEL-SA-00615');
  // First a revision without an operation that deploys it, then with one.
  const next = await insertRevision(db, {
    app: made.app,
    number: 2,
    name: 'known',
    compose: 'services: {}\n',
  });
  expect(await reasonOf(url, { ...boot, composeHash: next.compose_hash })).toBe('Compose hash not allowed');
  const operation = await db
    .insertInto('operations')
    .values({
      correlation_id: crypto.randomUUID(),
      team_id,
      cvm_id: cvm.id,
      type: 'update',
      target: 'running',
      payload: JSON.stringify({ revision_id: next.id }),
      lease_owner: 'test',
      lease_until: new Date(Date.now() + 3_600_000),
      deadline_at: new Date(Date.now() + 600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await reasonOf(url, { ...boot, composeHash: next.compose_hash })).toBe('allowed');
  await db
    .updateTable('operations')
    .set({ state: 'failed', finished_at: new Date() })
    .where('id', '=', operation.id)
    .execute();
  expect(await reasonOf(url, { ...boot, composeHash: next.compose_hash })).toBe('Compose hash not allowed');

  expect(await reasonOf(url, {}, 'kms')).toBe('Aggregated MR not allowed');
  const patch = (body: Record<string, unknown>) =>
    test.admin.call('updateAdminKms', { path: { id: plain.kms.id }, body });
  const changed = await patch({
    aggregated_mrs: [`0x${MR.toUpperCase()}`],
    tcb_statuses: ['UpToDate', 'OutOfDate'],
    advisory_ids: ['INTEL-SA-00615'],
  });
  expect(changed.body).toMatchObject({ aggregated_mrs: [MR] });
  expect(await reasonOf(url, {}, 'kms')).toBe('allowed');
  expect(await reasonOf(url, { ...advisory, tcbStatus: 'OutOfDate' })).toBe('allowed');
  expect(await reasonOf(url, { mrAggregated: '' }, 'kms')).toBe('Aggregated MR not allowed');
  expect(problemOf((await patch({ aggregated_mrs: ['zz'] })).body).detail).toBeTruthy();
  // An unmeasured image or machine is never a known one.
  const zero = '00'.repeat(32);
  await db
    .insertInto('os_images')
    .values({
      name: 'zero',
      slug: 'zero',
      version: '0',
      os_image_hash: zero,
      os_image_hash_source: 'administrator',
    })
    .execute();
  expect(await reasonOf(url, { osImageHash: '' }, 'kms')).toBe('OS image is not allowed');
  await db.updateTable('nodes').set({ device_id: zero }).where('id', '=', guarded.teepod.node_id).execute();
  expect(await reasonOf(url, { deviceId: '' }, 'kms')).toBe('KMS is not allowed to boot on this device');

  await db.updateTable('cvms').set({ deleted_at: new Date() }).where('id', '=', cvm.id).execute();
  expect(await reasonOf(url, boot)).toBe('App not registered');
  // The team sees the decisions about its app.
  const { body } = await test.member.call('listAuditEntries', { path: { slug: test.member.slug ?? '' } });
  expect(JSON.stringify(body)).toContain('kms.boot.refuse');
});

it('decides nothing for a KMS with an incomplete contract', async () => {
  const { db } = test.server.services;
  const host = await insertHost(db, { kind: 'dstack_vmm' });
  const url = await webhookOf(host);
  const { team_id } = await identityOf(db, test.member.email ?? '');
  const made = await insertApp(db, { team_id, host, name: 'half' });
  await insertCvm(db, { ...made, host });
  await db.updateTable('nodes').set({ device_id: DEVICE }).where('id', '=', host.teepod.node_id).execute();
  const boot = { appId: made.app.app_id, composeHash: made.revision.compose_hash };
  const asMember = async () => {
    const { status, body } = await test.member.call('checkAppIsAllowed', {
      path: { app_id: made.app.app_id },
      body: { compose_hash: made.revision.compose_hash, device_id: DEVICE },
    });
    expect(status).toBe(200);
    return body;
  };
  expect(await reasonOf(url, boot)).toBe('allowed');
  expect(await asMember()).toMatchObject({ is_allowed: true });
  for (const half of [
    { chain_id: 31337, kms_contract_address: null },
    { chain_id: null, kms_contract_address: contract.address },
  ]) {
    await db.updateTable('kms').set(half).where('id', '=', host.kms.id).execute();
    expect(await reasonOf(url, boot)).toContain('a chain or a contract address, but not both');
    expect((await fetch(url)).status).toBe(503);
    expect(await asMember()).toMatchObject({
      is_allowed: false,
      compose_hash_allowed: false,
      error: expect.stringContaining('a chain or a contract address, but not both') as string,
    });
  }
});

it('refuses hostile requests without deciding anything', async () => {
  const url = await webhookOf(plain);
  const post = async (body: string, to = `${url}/bootAuth/app`) =>
    (await fetch(to, { method: 'POST', body })).status;
  const wrong = [
    { appId: 'zz' },
    { composeHash: '12'.repeat(33) },
    { deviceId: 7 },
    { instanceId: undefined },
    { advisoryIds: Array<string>(101).fill('x') },
    { tcbStatus: 'x'.repeat(101) },
  ];
  for (const change of wrong) expect(await post(JSON.stringify(bootInfo(change)))).toBe(400);
  expect(await post('{')).toBe(400);
  expect(await post('null')).toBe(400);
  expect(await post(JSON.stringify(bootInfo({ keyProviderInfo: 'a'.repeat(40_000) })))).toBe(413);
  expect(await post('{}', `${url}/bootAuth/other`)).toBe(404);
  const guess = () => post('{}', `${test.server.url}/kms-auth/thk_kms_guess/${plain.kms.slug}/bootAuth/app`);
  const answers = new Set<number>();
  for (let i = 0; i < 61; i++) answers.add(await guess());
  expect([...answers]).toEqual([404, 429]);
  // The KMS may share its address with guessing clients.
  expect((await ask(url)).status).toBe(200);
  expect((await fetch(url)).status).toBe(200);
});

it('keeps its token out of the log, in any spelling', () => {
  const lines: string[] = [];
  const log = createLogger('debug', { write: (line: string) => void lines.push(line) });
  for (const path of [
    '/kms-auth/thk_kms_secret1/kms-1',
    '/kms-auth/thk%5Fkms_secret1/kms-1/bootAuth/app',
    '//KMS-auth//secret1',
  ]) {
    let close = () => {};
    const res = {
      locals: {},
      setHeader: () => {},
      once: (_: string, then: () => void) => void (close = then),
      statusCode: 200,
    };
    const req = { get: () => undefined, method: 'POST', path };
    requestLog(log, createMetrics())(req as never, res as never, () => {});
    close();
  }
  expect(lines).toHaveLength(3);
  expect(lines.join('')).not.toContain('secret1');
});
