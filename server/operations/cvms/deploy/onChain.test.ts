import { sql } from 'kysely';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommitCvm, Provision } from '../../../../generated/api/types.gen';
import { indexDueContracts } from '../../../jobs/kms/indexContracts';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../../testing/chain';
import { insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

/** Deployments whose keys a contract guards: the chain decides, whatever a client claims. */
const DEVICE = 'd1'.repeat(32);
const IMAGE = 'cd'.repeat(32);
let server: TestServer;
let fake: FakeVmm;
let chain: TestChain;
let gate: RpcGate;
let contract: TestContract;
let accounts: readonly Address[];
let host: TestHost;
let member: TestClient;

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  accounts = await chain.client.getAddresses();
  contract = await chain.deployKms('0.5.9');
  await contract.send('addOsImageHash', [`0x${IMAGE}`]);
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', LOCAL_CHAIN_RPC_URL: gate.url } });
  fake = await startFakeVmm();
  const { db } = server.services;
  host = await insertHost(db, { url: fake.url, chain_id: 31337 });
  await db
    .updateTable('kms')
    .set({
      url: `${fake.url}/kms`,
      k256_pubkey: fakeKmsRoot.k256_pubkey,
      kms_contract_address: contract.address,
    })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images where name = 'dstack-0.6.0'`.execute(
    db,
  );
  await db.updateTable('nodes').set({ device_id: DEVICE }).where('id', '=', host.teepod.node_id).execute();
  member = await server.register();
});
afterAll(async () => {
  await server?.stop();
  await fake?.close();
  await gate?.close();
  await chain?.stop();
});

const provision = async (name: string, more: Record<string, unknown> = {}) => {
  const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
  const reply = await member.call('provisionCvm', { body: { name, compose_file, kms: 'BASE', ...more } });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body as Provision;
};

async function deployApp(compose_hash: string, device_id = DEVICE) {
  const { address } = await contract.deployApp({ compose_hash, device_id, from: accounts[1] as Address });
  return address;
}

const commit = (body: Record<string, unknown>, by = member) => by.call('createCvm', { body });

it('deploys an app whose contract allows it, once', async () => {
  const made = await provision('guarded');
  expect(made).toMatchObject({
    app_id: null,
    app_env_encrypt_pubkey: null,
    device_id: DEVICE,
    os_image_hash: IMAGE,
    kms_info: { chain_id: 31337, kms_contract_address: contract.address },
  });
  const { compose_hash, kms_id } = made;
  const address = await deployApp(compose_hash);
  const body = {
    app_id: address,
    compose_hash: `0x${compose_hash.toUpperCase()}`,
    contract_address: address,
    deployer_address: accounts[1],
  };
  const central = await insertHost(server.services.db, { url: fake.at('central') });
  const elsewhere = await commit({ ...body, kms_id: central.kms.public_id });
  expect([elsewhere.status, JSON.stringify(elsewhere.body)]).toEqual([
    400,
    expect.stringContaining('kms_id names a different one'),
  ]);
  expect((await commit({ ...body, kms_id: 'nowhere' })).status).toBe(400);
  const reply = await commit({ ...body, kms_id });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  const cvm = reply.body as CommitCvm;
  expect(cvm).toMatchObject({
    app_id: address.slice(2).toLowerCase(),
    app_auth_contract_address: address.toLowerCase(),
    deployer_address: accounts[1]?.toLowerCase(),
    encrypted_env_pubkey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect((await commit(body)).body).toMatchObject({ vm_uuid: cvm.vm_uuid });
  const stranger = await server.register();
  expect((await commit(body, stranger)).status).toBe(409);
});

it('deploys an app to the contract named when it was provisioned', async () => {
  const { compose_hash } = await provision('own-contract');
  const address = await deployApp(compose_hash);
  const app_id = address.slice(2).toLowerCase();
  const made = await provision('own-contract', { app_id: address });
  const key = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
  expect(made).toMatchObject({ app_id, compose_hash, app_env_encrypt_pubkey: key });
  // As the command line commits it.
  const reply = await commit({ app_id: made.app_id, compose_hash });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body).toMatchObject({ app_id, encrypted_env_pubkey: made.app_env_encrypt_pubkey });
  const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
  const refused = (more: Record<string, unknown>) =>
    member.call('provisionCvm', { body: { name: 'own-contract-2', compose_file, kms: 'BASE', ...more } });
  expect(await refused({ custom_app_id: address })).toMatchObject({
    status: 409,
    body: { details: [{ field: 'custom_app_id' }] },
  });
  expect(await refused({ app_id: 'ab'.repeat(20), nonce: 1 })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'nonce' }] },
  });
});

it('refuses a commit that the chain does not confirm, with the reason', async () => {
  const { compose_hash } = await provision('refused');
  const refusal = async (app_id: string, more: Record<string, unknown> = {}) => {
    const { status, body } = await commit({ app_id, compose_hash, ...more });
    return [status, (body as unknown as { message: string }).message];
  };
  expect(await refusal(accounts[5] as string)).toEqual([467, expect.stringContaining('no contract')]);
  expect(await refusal(contract.address)).toEqual([467, expect.stringContaining('not registered')]);
  const other = await deployApp('33'.repeat(32));
  expect(await refusal(other)).toEqual([468, expect.stringContaining('Compose hash not allowed')]);
  const elsewhere = await deployApp(compose_hash, 'd2'.repeat(32));
  expect(await refusal(elsewhere)).toEqual([468, expect.stringContaining('Device not allowed')]);
  const good = await deployApp(compose_hash);
  expect(await refusal(good, { deployer_address: accounts[7] })).toEqual([
    467,
    expect.stringContaining('deployer_address'),
  ]);
  expect(await refusal(good, { contract_address: accounts[7] })).toEqual([
    467,
    expect.stringContaining('contract_address'),
  ]);
  await contract.send('removeOsImageHash', [`0x${IMAGE}`]);
  expect(await refusal(good)).toEqual([468, expect.stringContaining('OS image is not allowed')]);
  await contract.send('addOsImageHash', [`0x${IMAGE}`]);
  gate.mode = 'status_500';
  const [status, message] = await refusal(good);
  gate.mode = 'open';
  expect([status, message]).toEqual([502, expect.stringContaining('status 500')]);
  expect(message).not.toContain('key-9f3a');
  // The provision survives every refusal.
  expect((await commit({ app_id: good, compose_hash })).status).toBe(200);
});

it('checks a contract before it is committed, by its address or its transaction', async () => {
  const { compose_hash } = await provision('checked');
  const check = async (named?: string | { owner: string }, by = member) => {
    const body = { compose_hash, ...(typeof named === 'string' ? { contract: named } : named) };
    const { status, body: said } = await by.call('checkProvisionContract', { body });
    return [status, said] as const;
  };
  const refusal = async (named: string) => {
    const [status, said] = await check(named);
    return [status, (said as unknown as { message: string }).message];
  };
  expect(await check()).toEqual([200, { app_id: null, owner: null, deployer_address: null }]);
  expect(await refusal(accounts[5] as string)).toEqual([467, expect.stringContaining('no contract')]);
  expect(await refusal(contract.address)).toEqual([467, expect.stringContaining('not registered')]);
  const other = await deployApp('33'.repeat(32));
  expect(await refusal(other)).toEqual([468, expect.stringContaining('Compose hash not allowed')]);
  const unrelated = await contract.send('addOsImageHash', [`0x${'ce'.repeat(32)}`]);
  expect(await refusal(unrelated.transactionHash)).toEqual([
    467,
    expect.stringContaining("didn't deploy an app"),
  ]);
  expect(await refusal(`0x${'0a'.repeat(32)}`)).toEqual([467, expect.stringContaining("doesn't know")]);

  const [owner, deployer] = [accounts[2] as Address, accounts[1] as Address];
  const args = [owner, false, false, `0x${DEVICE}`, `0x${compose_hash}`];
  const { transactionHash } = await contract.send('deployAndRegisterApp', args, deployer);
  const [status, found] = await check(transactionHash);
  expect(status).toBe(200);
  expect(found).toMatchObject({
    owner: owner.toLowerCase(),
    deployer_address: deployer.toLowerCase(),
  });
  const { app_id, deployer_address } = found;
  expect(await check(`0x${app_id?.toUpperCase()}`)).toEqual([200, found]);
  // If not named, only contracts deployed by the owner count: anyone can name another owner.
  const none = [200, { app_id: null, owner: null, deployer_address: null }];
  for (const named of [undefined, { owner }, { owner: deployer }]) expect(await check(named)).toEqual(none);
  const own = (await contract.deployApp({ compose_hash, device_id: DEVICE, from: owner })).address;
  await contract.send(
    'deployAndRegisterApp',
    [owner, false, true, `0x${DEVICE}`, `0x${compose_hash}`],
    deployer,
  );
  for (const named of [undefined, { owner }])
    expect(await check(named)).toEqual([
      200,
      {
        app_id: own.slice(2).toLowerCase(),
        owner: owner.toLowerCase(),
        deployer_address: owner.toLowerCase(),
      },
    ]);
  const stranger = await server.register();
  expect((await check(transactionHash, stranger))[0]).toBe(409);

  const committed = await commit({ app_id, compose_hash, deployer_address });
  expect(committed.status, JSON.stringify(committed.body)).toBe(200);
  await provision('checked-again');
  await server.services.db
    .updateTable('provisions')
    .set({ compose_hash })
    .where('name', '=', 'checked-again')
    .execute();
  // The next deployment of the same file is a separate app.
  expect((await commit({ app_id: own, compose_hash })).status).toBe(200);
  await provision('checked-once-more');
  await server.services.db
    .updateTable('provisions')
    .set({ compose_hash })
    .where('name', '=', 'checked-once-more')
    .execute();
  expect(await check()).toEqual(none);
  expect(await refusal(transactionHash)).toEqual([409, expect.stringContaining('another app')]);
});

it('reports what the contract currently allows: hashes, devices and CVMs', async () => {
  const { compose_hash } = await provision('asked');
  const address = await deployApp(compose_hash);
  expect((await commit({ app_id: address, compose_hash })).status).toBe(200);
  const path = { app_id: address };
  const ask = async (body: { compose_hash: string; device_id?: string }) =>
    (await member.call('checkAppIsAllowed', { path, body })).body;
  const device_id = `0x${DEVICE.toUpperCase()}`;
  expect(await ask({ compose_hash, device_id })).toMatchObject({
    app_contract_address: address.toLowerCase(),
    compose_hash_allowed: true,
    allow_any_device: false,
    device_id_allowed: true,
    is_allowed: true,
    error: null,
  });
  expect(await ask({ compose_hash: '44'.repeat(32), device_id })).toMatchObject({
    is_allowed: false,
    error: 'Compose hash not allowed',
  });
  expect(await ask({ compose_hash, device_id: 'd9' })).toMatchObject({ error: 'Device not allowed' });
  const cvms = async () => (await member.call('checkAppCvmsIsAllowed', { path, body: {} })).body;
  expect(await cvms()).toMatchObject({ is_onchain: true, total: 1, allowed_count: 1, error_count: 0 });
  const list = async () => member.call('getAppDeviceAllowlist', { path });
  expect((await list()).body).toMatchObject({
    is_onchain_kms: true,
    allow_any_device: false,
    chain_id: 31337,
    app_contract_address: address.toLowerCase(),
    devices: [{ device_id: DEVICE, allowed_onchain: true, status: 'allowed' }],
  });
  await indexDueContracts(server.services);
  const shown = async () => (await member.call('getAppContract', { path })).body;
  expect(await shown()).toMatchObject({
    chain: 'local',
    address: address.toLowerCase(),
    error: null,
    policy: {
      registered: true,
      owner: accounts[1]?.toLowerCase(),
      pending_owner: null,
      two_step_transfer: false,
      allow_any_device: false,
      require_tcb_up_to_date: false,
      upgrades_disabled: false,
    },
    compose_hashes: [{ value: `0x${compose_hash}`, name: 'revision 1', allowed: true }],
    devices: [{ value: `0x${DEVICE}`, allowed: true, added_by: accounts[1]?.toLowerCase() }],
    hosts: [{ name: expect.any(String) as string, device_id: `0x${DEVICE}` }],
    index: { complete: true, error: null },
  });
  const codes = async () => {
    const { policy } = await shown();
    return [policy?.implementation, policy?.kms_implementation];
  };
  const [usual] = await codes();
  expect(usual).toMatch(/^0x[0-9a-f]{40}$/);
  expect(await codes()).toEqual([usual, usual]);
  await contract.send('setAppImplementation', [contract.address]);
  expect(await codes()).toEqual([usual, contract.address.toLowerCase()]);
  await contract.send('setAppImplementation', [usual]);
  const registry = async () =>
    (await member.call('getKmsOnChain', { path: { chain: 'local' } })).body.contracts[0];
  expect(await registry()).toMatchObject({
    devices: [{ device_id: DEVICE, on_chain_allowed: false }],
    os_images: [{ os_image_hash: IMAGE, on_chain_allowed: true }],
  });
  const app = contract.appAt(address);
  await app.send('removeDevice', [`0x${DEVICE}`], accounts[1]);
  expect((await list()).body).toMatchObject({ devices: [{ allowed_onchain: false, status: 'not_allowed' }] });
  expect(await cvms()).toMatchObject({ denied_count: 1, results: [{ error: 'Device not allowed' }] });
  // An unreachable chain allows nothing, whatever it reported before.
  gate.mode = 'status_500';
  const silent = await Promise.all([ask({ compose_hash, device_id }), cvms(), list(), shown(), registry()]);
  gate.mode = 'open';
  expect(silent[0]).toMatchObject({ is_allowed: false, device_id_allowed: null });
  expect(silent[1]).toMatchObject({ allowed_count: 0, denied_count: 0, error_count: 1 });
  expect(silent[2].status).toBe(502);
  expect(silent[4]).toMatchObject({ os_images: [{ on_chain_allowed: null }] });
  expect(silent[3]).toMatchObject({
    policy: null,
    compose_hashes: [{ allowed: null }],
    index: { complete: true },
  });
  // The index predates the change, but the contract still confirms the entry.
  expect(await shown()).toMatchObject({ devices: [{ value: `0x${DEVICE}`, allowed: false }] });
  // A page opened later shows the change in its history, before the worker's next run.
  await sql`update contract_indexes set attempted_at = now() - interval '1 minute' where address = ${address.toLowerCase()}`.execute(
    server.services.db,
  );
  const { history } = await shown();
  expect(history.map(({ kind }) => kind)).toContain('DeviceRemoved');
  const stranger = await server.register();
  expect((await stranger.call('getAppContract', { path })).status).toBe(404);
  expect((await stranger.call('getAppDeviceAllowlist', { path })).status).toBe(404);
});

it('names the network of an app with the same address on another one', async () => {
  const { compose_hash } = await provision('twins');
  const app_id = await deployApp(compose_hash);
  expect((await commit({ app_id, compose_hash })).status).toBe(200);
  const { db } = server.services;
  await db.updateTable('cvms').set({ name: 'first-twin' }).where('name', '=', 'twins').execute();
  // A KMS contract at the same address on another network gives its apps the same addresses.
  const other = await insertHost(db, { url: fake.at('twin'), chain_id: 1 });
  const kms = {
    type: 'ethereum' as const,
    url: `${fake.url}/kms`,
    k256_pubkey: fakeKmsRoot.k256_pubkey,
    kms_contract_address: contract.address,
  };
  await db.updateTable('kms').set(kms).where('id', '=', other.kms.id).execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${other.teepod.id}, id from os_images where name = 'dstack-0.6.0'`.execute(
    db,
  );
  await db.updateTable('nodes').set({ device_id: DEVICE }).where('id', '=', other.teepod.node_id).execute();
  const compose_file = { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' };
  // Its own team must not get the CVM on the other network instead.
  for (const client of [member, await server.register()]) {
    const again = await client.call('provisionCvm', {
      body: { name: 'twins', compose_file, kms: 'ETHEREUM', teepod_id: other.teepod.id },
    });
    expect(again.status, JSON.stringify(again.body)).toBe(200);
    expect((again.body as Provision).compose_hash).toBe(compose_hash);
    const refused = await commit({ app_id, compose_hash }, client);
    expect([refused.status, (refused.body as unknown as { message: string }).message]).toEqual([
      409,
      expect.stringMatching(/on Ethereum has the same address as an app on Local development/),
    ]);
    // The other team must not be able to deploy second.
    await db
      .updateTable('provisions')
      .set({ expires_at: new Date(0) })
      .where('compose_hash', '=', compose_hash)
      .execute();
  }
});
