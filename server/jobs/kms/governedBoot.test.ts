import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommitCvm, Operation, Provision } from '../../../generated/api/types.gen';
import { beginOperation } from '../../db/activity/operations';
import { insertRevision } from '../../testing/cvmFixtures';
import { imageHash } from '../../teepod/attestation';
import { startTestChain, type TestChain, type TestContract } from '../../testing/chain';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** From deployment to boot: the local teepod's KMS queries the contract each time. */
let chain: TestChain;
let contract: TestContract;
let server: TestServer;
let member: TestClient;

beforeAll(async () => {
  chain = await startTestChain();
  contract = await chain.deployKms();
  for (const image of ['dstack-local-0.6.0', 'dstack-local-dev-0.6.0'])
    await contract.send('addOsImageHash', [`0x${imageHash(image)}`]);
  server = await startTestServer({
    teepod: true,
    env: { LOCAL_CHAIN_RPC_URL: chain.url, LOCAL_TEEPOD_KMS_CONTRACT: contract.address },
  });
  member = await server.register();
});
afterAll(async () => {
  await server?.stop();
  await chain?.stop();
});

it('boots an allowed app, rejects an update to anything else, and stops at the contract once it is no longer allowed', async () => {
  const provisioned = await member.call('provisionCvm', {
    body: {
      name: 'governed',
      // The development chain stands in for either network.
      kms: 'ETHEREUM',
      compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
    },
  });
  expect(provisioned.status, JSON.stringify(provisioned.body)).toBe(200);
  const { compose_hash, device_id } = provisioned.body as Provision;
  const app = await contract.deployApp({ compose_hash, device_id: device_id ?? '' });
  const committed = await member.call('createCvm', { body: { app_id: app.address, compose_hash } });
  expect(committed.status, JSON.stringify(committed.body)).toBe(200);
  const cvm_id = (committed.body as CommitCvm).id;
  const cvm = async () => (await member.call('getCvm', { path: { cvm_id } })).body;
  await eventually('it runs', async () => (await cvm()).status === 'running');
  // As in a later rollout or rollback: the worker queries the contract itself before it touches the host.
  const { db } = server.services;
  const row = await db
    .selectFrom('cvms')
    .selectAll()
    .where('public_id', '=', cvm_id)
    .executeTakeFirstOrThrow();
  const refused = await insertRevision(db, {
    app: await db.selectFrom('apps').selectAll().where('id', '=', row.app_id).executeTakeFirstOrThrow(),
    number: 2,
    name: 'governed',
  });
  const { correlation_id } = await db.transaction().execute(async (trx) => {
    const operation = await beginOperation(trx, {
      cvm: row,
      type: 'update',
      payload: { revision_id: refused.id },
      user_id: null,
    });
    await server.services.jobs.enqueueOperation(trx, operation.correlation_id);
    return operation;
  });
  const operation = async () =>
    (await member.call('getOperation', { path: { correlation_id } })).body as Operation;
  await eventually('the worker refused it', async () => (await operation()).state === 'failed');
  expect(await operation()).toMatchObject({
    error: { code: 'ERR-01-008' },
    steps: [{ id: 'contract', state: 'failed' }],
  });
  expect(await cvm()).toMatchObject({ status: 'running' });

  await app.send('removeComposeHash', [`0x${compose_hash}`]);
  expect((await member.call('restartCvm', { path: { cvm_id }, body: {} })).status).toBeLessThan(300);
  const last = async () => (await member.call('listCvmOperations', { path: { cvm_id } })).body.data[0];
  await eventually('the worker refused to stop it', async () => (await last())?.state === 'failed');
  expect(await last()).toMatchObject({ type: 'restart', error: { code: 'ERR-01-008' } });
  expect(await cvm()).toMatchObject({ status: 'running' });

  // A start has nothing to lose: the host's KMS queries the contract.
  expect((await member.call('stopCvm', { path: { cvm_id } })).status).toBeLessThan(300);
  await eventually('it is stopped', async () => (await cvm()).status === 'stopped');
  expect((await member.call('startCvm', { path: { cvm_id } })).status).toBeLessThan(300);
  await eventually('the contract refused it', async () => (await cvm()).status === 'error');
  expect(await cvm()).toMatchObject({
    boot_error: 'the KMS contract refused the app keys: Compose hash not allowed',
    status_reason_keys: [{ id: 'keys_refused_hash' }, { id: 'advice_allow_hash' }],
    status_reason: expect.stringMatching(/doesn’t allow the compose hash.*Allow this compose hash/) as string,
  });
  expect(await last()).toMatchObject({
    type: 'start',
    error: { code: 'ERR-01-008', message_keys: [{ id: 'keys_refused_hash' }] },
  });
  const { body } = await member.call('listEvents', { query: { cvm: cvm_id } });
  expect(body.data.map(({ message }) => message).join('\n')).toContain('doesn’t allow the compose hash');

  // A device missing from the contract is named.
  await app.send('addComposeHash', [`0x${compose_hash}`]);
  await app.send('removeDevice', [`0x${device_id ?? ''}`]);
  expect((await member.call('startCvm', { path: { cvm_id } })).status).toBeLessThan(300);
  const reasons = async () => (await cvm()).status_reason_keys.map(({ id }) => id);
  await eventually('the contract refused the device', async () =>
    (await reasons()).includes('keys_refused_device'),
  );
  expect(await cvm()).toMatchObject({ status: 'error' });
});

it('boots nothing that this server did not deploy, whatever is on the host', async () => {
  const { db, vmm } = server.services;
  const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
  const provisioned = await member.call('provisionCvm', { body: { name: 'central', compose_file } });
  const { app_id, compose_hash } = provisioned.body as Provision;
  const committed = await member.call('createCvm', { body: { app_id, compose_hash } });
  expect(committed.status, JSON.stringify(committed.body)).toBe(200);
  const cvm_id = (committed.body as CommitCvm).id;
  await eventually(
    'it runs',
    async () => (await member.call('getCvm', { path: { cvm_id } })).body.status === 'running',
  );
  const { teepod_id, host_vm_id } = await db
    .selectFrom('cvms')
    .select(['teepod_id', 'host_vm_id'])
    .where('public_id', '=', cvm_id)
    .executeTakeFirstOrThrow();
  const host = vmm.get(
    await db.selectFrom('teepods').selectAll().where('id', '=', teepod_id).executeTakeFirstOrThrow(),
  );
  const id = host_vm_id ?? '';
  const { configuration } = (await host.getInfo(id)) ?? {};
  // Changed by hand, bypassing this server.
  const changed = configuration?.compose_file.replace('nginx:alpine', 'nginx:other') ?? '';
  const vm = await host.createVm({
    name: 'by-hand',
    image: configuration?.image ?? '',
    compose_file: changed,
    vcpu: 1,
    memory: 1024,
    disk_size: 10,
    app_id: app_id ?? '',
  });
  const info = await eventually('its boot has ended', async () => {
    const found = await host.getInfo(vm);
    return found?.boot_error ? found : null;
  });
  expect(info.boot_error).toBe('the KMS refused the app keys: Compose hash not allowed');
  await host.removeVm(vm);
  const entries = await db
    .selectFrom('audit_log')
    .select(['action', 'after'])
    .where('target_id', '=', app_id ?? '')
    .where('action', 'like', 'kms.boot.%')
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual(['kms.boot.allow', 'kms.boot.refuse']);
  expect(entries[1]?.after).toMatchObject({ reason: 'Compose hash not allowed', kms: 'local' });
});
