/**
 * Runs the published, unmodified `phala` command and `@phala/cloud` SDK against apps whose keys a contract guards: real
 * nodes standing in for Base and Ethereum, the real server with its workers, and hosts that boot in milliseconds.
 * Later entries use what earlier ones created, as in a user's session.
 */
import * as phala from '@phala/cloud';
import { sql } from 'kysely';
import { privateKeyToAccount } from 'viem/accounts';
import { base, mainnet } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFakeVmm, type FakeVmm } from '../drivers/vmm/fake';
import { fakeKmsRoot } from '../drivers/vmm/fakeKms';
import { startTestChain, type TestChain, type TestContract } from '../testing/chain';
import { insertHost, type TestHost } from '../testing/cvmFixtures';
import { eventually, startTestServer, type TestClient, type TestServer } from '../testing/server';
import type { Deployed } from './testing/fixtures';
import { installPhala, type Phala } from './testing/phala';
import { record } from './testing/recorder';
import { signUp } from './testing/world';

/** One that anvil funds and every development tool knows. */
const KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const OWNER = privateKeyToAccount(KEY).address;
const DEVICES = ['d1', 'd2', 'd3'].map((byte) => byte.repeat(32)) as [string, string, string];
const IMAGE = 'cd'.repeat(32);
const HEX64 = /^0x[0-9a-f]{64}$/;

let server: TestServer;
let fake: FakeVmm;
let person: TestClient;
let cli: Phala;
let sdk: phala.Client<'2026-01-21'>;
let onBase: TestChain;
let onEthereum: TestChain;
let contract: TestContract;
/** Two machines for apps on Base, one for apps on Ethereum. */
let hosts: [TestHost, TestHost, TestHost];
/** Deployed by the first entry. */
let app: Deployed;

const compose = (image: string) => `services:\n  web:\n    image: ${image}\n`;
const signing = () => `--private-key ${KEY} --rpc-url ${onBase.url}`;

beforeAll(async () => {
  [onBase, onEthereum] = await Promise.all([startTestChain(base.id), startTestChain(mainnet.id)]);
  contract = await onBase.deployKms('0.5.9');
  await onBase.addMulticall();
  // First, so that contracts get other addresses than on Base: an app's ID is its contract's address.
  await onEthereum.addMulticall();
  const further = await onEthereum.deployKms('0.5.3');
  for (const one of [contract, further]) await one.send('addOsImageHash', [`0x${IMAGE}`]);
  server = await startTestServer({ env: { BASE_RPC_URL: onBase.url, ETHEREUM_RPC_URL: onEthereum.url } });
  fake = await startFakeVmm({ stage_ms: 30 });
  const { db } = server.services;
  hosts = [
    await insertHost(db, { name: 'first', url: fake.url, chain_id: base.id }),
    await insertHost(db, { name: 'second', url: fake.at('second'), chain_id: base.id }),
    await insertHost(db, { name: 'third', url: fake.at('third'), chain_id: mainnet.id }),
  ];
  const [first, second, third] = hosts;
  const kms = { url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey };
  await db
    .updateTable('kms')
    .set({ ...kms, kms_contract_address: contract.address })
    .where('id', '=', first.kms.id)
    .execute();
  await db
    .updateTable('kms')
    .set({ ...kms, kms_contract_address: further.address, type: 'ethereum' })
    .where('id', '=', third.kms.id)
    .execute();
  await db.updateTable('teepods').set({ kms_id: first.kms.id }).where('id', '=', second.teepod.id).execute();
  await db.deleteFrom('kms').where('id', '=', second.kms.id).execute();
  for (const [i, { teepod }] of hosts.entries()) {
    await sql`insert into teepod_os_images (teepod_id, os_image_id)
      select ${teepod.id}, id from os_images where name = 'dstack-0.6.0' on conflict do nothing`.execute(db);
    const device_id = DEVICES[i] ?? null;
    await db.updateTable('nodes').set({ device_id }).where('id', '=', teepod.node_id).execute();
  }
  const signedUp = await signUp(server);
  person = signedUp.person;
  const prefix = `${server.url}/api/v1`;
  cli = await installPhala(prefix, signedUp.token);
  sdk = phala.createClient({ apiKey: signedUp.token, baseURL: prefix, version: '2026-01-21' });
  for (const image of ['nginx:1', 'nginx:2', 'nginx:3'])
    await cli.write(`${image.replace(':', '-')}.yml`, compose(image));
});

afterAll(async () => {
  await cli?.remove();
  await server?.stop();
  await fake?.close();
  await Promise.all([onBase?.stop(), onEthereum?.stop()]);
});

const look = async (cvm_id: string) =>
  (await person.call('getCvm', { path: { cvm_id } })).body as {
    status: string;
    progress: unknown;
    compose_hash: string;
  };

const settled = (cvm_id: string) =>
  eventually(`${cvm_id} is running`, async () => {
    const seen = await look(cvm_id);
    if (seen.status === 'error') throw new Error(JSON.stringify(seen));
    return seen.status === 'running' && !seen.progress ? seen : null;
  });

/** Reads the contract directly, because the server must not be trusted here. */
const allowed = (functionName: 'allowedComposeHashes' | 'allowedDeviceIds', value: string) =>
  onBase.client.readContract({
    address: `0x${app.app_id.replace(/^0x/, '')}`,
    abi: contract.app.abi,
    functionName,
    args: [`0x${value.replace(/^0x/, '')}`],
  });

/** Acts as an owner elsewhere, such as in a multisig wallet. */
const allow = async (functionName: 'addComposeHash' | 'addDevice', value: string) => {
  const at = contract.appAt(`0x${app.app_id.replace(/^0x/, '')}`);
  return (await at.send(functionName, [`0x${value.replace(/^0x/, '')}`], OWNER)).transactionHash;
};

describe('phala 1.1.18, on-chain KMS', { timeout: 600_000 }, () => {
  it('deploy --kms base and --kms ethereum', async () => {
    const deploy = (name: string, kms: string, url: string) =>
      cli.json<Deployed>(
        `deploy -n ${name} -c nginx-1.yml -e A=1 --kms ${kms} --private-key ${KEY} --rpc-url ${url} --json`,
      );
    const [first, second] = await Promise.all([
      deploy('on-base', 'base', onBase.url),
      deploy('on-ethereum', 'ethereum', onEthereum.url),
    ]);
    app = first;
    await settled(second.vm_uuid);
    expect(await settled(app.vm_uuid)).toMatchObject({
      app_id: app.app_id.replace(/^0x/, '').toLowerCase(),
      kms_info: { chain_id: base.id },
    });
    expect(await allowed('allowedComposeHashes', (await look(app.vm_uuid)).compose_hash)).toBe(true);
  });

  it('deploy of a change: registers its compose hash and confirms it', async () => {
    const before = await look(app.vm_uuid);
    const ran = await cli.json(`deploy --cvm-id on-base -c nginx-2.yml --wait --json ${signing()}`);
    expect(ran).toMatchObject({ success: true });
    const after = await settled(app.vm_uuid);
    expect(after.compose_hash).not.toBe(before.compose_hash);
    expect(await allowed('allowedComposeHashes', after.compose_hash)).toBe(true);
  });

  it('deploy --prepare-only, then --commit once the owner has allowed it', async () => {
    const before = await look(app.vm_uuid);
    const prepared = await cli.json<Record<'compose_hash' | 'commit_token', string>>(
      'deploy --cvm-id on-base -c nginx-3.yml --prepare-only --json',
    );
    expect(prepared).toMatchObject({
      prepare_only: true,
      compose_hash: expect.stringMatching(HEX64),
      device_id: DEVICES[0],
      chain_id: base.id,
      onchain_status: { compose_hash_allowed: false, device_id_allowed: true, is_allowed: false },
      commit_url: expect.stringContaining(`/cvms/${app.vm_uuid}/`),
      api_commit_url: expect.stringContaining(`/commit-update?token=${prepared.commit_token}`),
    });
    expect(await look(app.vm_uuid)).toMatchObject({
      status: 'running',
      compose_hash: before.compose_hash,
    });
    const commit = `deploy --cvm-id on-base --commit --token ${prepared.commit_token} --json`;
    const early = await cli(commit);
    expect(early.code).not.toBe(0);
    expect(early.stderr).toContain('Compose hash not allowed');
    const transaction = await allow('addComposeHash', prepared.compose_hash);
    const done = await cli.json(
      `${commit} --compose-hash ${prepared.compose_hash} --transaction-hash ${transaction}`,
    );
    expect(done).toMatchObject({ success: true, correlation_id: expect.any(String) });
    expect(`0x${(await settled(app.vm_uuid)).compose_hash}`).toBe(prepared.compose_hash);
  });

  it('changes nothing with a server that forgets to check the contract', async () => {
    await cli.write('nginx-4.yml', compose('nginx:4'));
    const before = await look(app.vm_uuid);
    const forgetful = await record(server.url, (status) => (status === 465 ? 200 : status));
    try {
      await cli(`deploy --cvm-id on-base -c nginx-4.yml --json ${signing()}`, { prefix: forgetful.prefix });
      const held = forgetful.seen.find(({ status }) => status === 465);
      expect(forgetful.seen.filter(({ path }) => /commit|confirm/.test(path))).toEqual([]);
      expect(await look(app.vm_uuid)).toMatchObject({ compose_hash: before.compose_hash });
      const named = /"field":"compose_hash","value":"(?:0x)?([0-9a-f]{64})"/.exec(
        JSON.stringify(held?.reply),
      );
      expect(await allowed('allowedComposeHashes', named?.[1] ?? '')).toBe(false);
    } finally {
      await forgetful.close();
    }
  });

  it('envs update: values alone immediately, another name after its transaction', async () => {
    const before = await look(app.vm_uuid);
    const update = async (envs: string) => {
      const ran = await cli(`envs update on-base ${envs} ${signing()}`);
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout + ran.stderr).toMatch(/Environment update initiated/);
      return settled(app.vm_uuid);
    };
    expect((await update('-e A=2')).compose_hash).toBe(before.compose_hash);
    const named = await update('-e A=2 -e B=3');
    expect(named.compose_hash).not.toBe(before.compose_hash);
    expect(await allowed('allowedComposeHashes', named.compose_hash)).toBe(true);
  });

  it('cvms replicate on a machine that is not allowed yet', async () => {
    expect(await allowed('allowedDeviceIds', DEVICES[1])).toBe(false);
    const replica = await cli.json<{ vm_uuid: string; app_id: string }>(
      `cvms replicate on-base --node-id ${hosts[1].teepod.id} --json ${signing()}`,
    );
    expect(replica.vm_uuid).not.toBe(app.vm_uuid);
    await settled(replica.vm_uuid);
    expect(await allowed('allowedDeviceIds', DEVICES[1])).toBe(true);
  });

  it('instances add --prepare-only, then --commit', async () => {
    const add = `instances add --app-id ${app.app_id} --json`;
    const prepared = await cli.json<Record<'composeHash' | 'commitToken', string>>(
      `${add} --node-id ${hosts[1].teepod.id} --prepare-only`,
    );
    expect(prepared).toMatchObject({ prepare_only: true, onchainStatus: { is_allowed: true } });
    const added = await cli.json<{ vm_uuid: string }>(
      `${add} --commit --token ${prepared.commitToken} --compose-hash ${prepared.composeHash}`,
    );
    await settled(added.vm_uuid);
  });

  it('allow-devices: list, add, remove, allow-any, toggle-allow-any', async () => {
    // Without --json, which this version can't print for allow-any: the block's number is a BigInt.
    const device = async (verb: string) => {
      const ran = await cli(`allow-devices ${verb} ${signing()}`);
      expect(ran.code, JSON.stringify(ran)).toBe(0);
    };
    const list = () =>
      cli.json<{ owner: string; allowAnyDevice: boolean; devices: unknown[] }>(
        `allow-devices list on-base --json --rpc-url ${onBase.url}`,
      );
    expect(await list()).toMatchObject({
      owner: OWNER,
      allowAnyDevice: false,
      devices: [
        { deviceId: `0x${DEVICES[0]}`, nodeName: 'first' },
        { deviceId: `0x${DEVICES[1]}`, nodeName: 'second' },
      ],
    });
    await device(`remove on-base second`);
    expect(await allowed('allowedDeviceIds', DEVICES[1])).toBe(false);
    await device(`add on-base 0x${DEVICES[1]}`);
    expect(await allowed('allowedDeviceIds', DEVICES[1])).toBe(true);
    await device('allow-any on-base --enable');
    // Turned off again: the server returns the current state.
    await device('toggle-allow-any on-base');
    const { body } = await person.call('getAppDeviceAllowlist', { path: { app_id: app.app_id } });
    expect(body).toMatchObject({ is_onchain_kms: true, allow_any_device: false });
  });
});

describe('@phala/cloud 0.2.9, on-chain KMS', () => {
  it('deploys, updates and queries with its own actions', async () => {
    const provision = await sdk.provisionCvm({
      name: 'by-sdk',
      kms: 'BASE',
      node_id: hosts[0].teepod.id,
      compose_file: { docker_compose_file: compose('nginx:1'), allowed_envs: ['A'] },
    });
    const { kms_info, compose_hash } = provision;
    expect(provision.app_id).toBeNull();
    const chain = { chain: base, rpcUrl: onBase.url };
    const signer = { ...chain, privateKey: KEY } as const;
    const deployed = (await phala.deployAppAuth({
      ...signer,
      kmsContractAddress: (kms_info?.kms_contract_address ?? '') as `0x${string}`,
      deviceId: provision.device_id ?? '',
      composeHash: compose_hash,
    })) as phala.DeployAppAuth;
    const kms = kms_info?.slug ?? '';
    const { public_key } = await sdk.getAppEnvEncryptPubKey({ kms, app_id: deployed.appId });
    const seal = (value: string) => phala.encryptEnvVars([{ key: 'A', value }], public_key);
    const cvm = await sdk.commitCvmProvision({
      app_id: deployed.appId,
      compose_hash,
      encrypted_env: await seal('1'),
      kms_id: kms,
      contract_address: deployed.appAuthAddress,
      deployer_address: deployed.deployer,
    });
    const id = { id: cvm.vm_uuid ?? '' };
    await settled(id.id);

    const appAddress = deployed.appAuthAddress as `0x${string}`;
    const of = { ...chain, appAddress };
    const changed = await phala.patchCvm(sdk, { ...id, docker_compose_file: compose('nginx:2') });
    if (!changed.requiresOnChainHash) return expect.unreachable('was carried out without its contract');
    const { composeHash, deviceId } = changed;
    expect(await phala.checkOnChainPrerequisites({ ...of, deviceId, composeHash })).toEqual({
      allowAnyDevice: false,
      deviceAllowed: true,
      composeHashAllowed: false,
    });
    const early = await phala
      .confirmCvmPatch(sdk, { ...id, composeHash, transactionHash: 'already-registered' })
      .catch((error: unknown) => error);
    expect(early).toMatchObject({ status: 468, errorCode: phala.ErrorCodes.HASH_NOT_ALLOWED });
    const added = (await phala.addComposeHash({ ...signer, appId: appAddress, composeHash })) as {
      transactionHash: string;
    };
    expect(await phala.checkComposeHashAllowed({ ...of, composeHash })).toBe(true);
    await phala.confirmCvmPatch(sdk, { ...id, composeHash, transactionHash: added.transactionHash });
    expect((await settled(id.id)).compose_hash).toBe(composeHash);

    // Prepared and committed with a token.
    const prepared = await phala.patchCvm(sdk, {
      ...id,
      docker_compose_file: compose('nginx:3'),
      prepareOnly: true,
    });
    if (!prepared.requiresOnChainHash) return expect.unreachable('was carried out without its contract');
    await phala.addComposeHash({ ...signer, appId: appAddress, composeHash: prepared.composeHash });
    await phala.commitCvmUpdate(sdk, {
      ...id,
      token: prepared.commitToken ?? '',
      composeHash: prepared.composeHash,
      transactionHash: 'already-registered',
    });
    await settled(id.id);

    // The environment's names are part of the hash.
    const env = { ...id, encrypted_env: await seal('2'), env_keys: ['A', 'B'] };
    const held = await sdk.updateCvmEnvs(env);
    if (held.status !== 'precondition_required') return expect.unreachable('did not ask for its contract');
    const { transactionHash } = (await phala.addComposeHash({
      ...signer,
      appId: appAddress,
      composeHash: held.compose_hash,
    })) as { transactionHash: string };
    const confirmed = { compose_hash: held.compose_hash, transaction_hash: transactionHash };
    expect(await sdk.updateCvmEnvs({ ...env, ...confirmed })).toMatchObject({ status: 'in_progress' });
    await settled(id.id);

    // Devices: the server matches the contract.
    const second = { ...of, deviceId: DEVICES[1] };
    const both = async () => [
      await phala.checkDeviceAllowed(second),
      (await phala.getAppDeviceAllowlist(sdk, { appId: deployed.appId.replace(/^0x/, '') })).devices.find(
        (one) => one.device_id === DEVICES[1],
      )?.allowed_onchain,
      (
        await phala.checkAppIsAllowed(sdk, {
          appId: deployed.appId.replace(/^0x/, ''),
          compose_hash: composeHash,
          device_id: DEVICES[1],
        })
      ).is_allowed,
    ];
    expect(await both()).toEqual([false, false, false]);
    await phala.addDevice({ ...signer, ...second });
    expect(await both()).toEqual([true, true, true]);
    await phala.removeDevice({ ...signer, ...second });
    await phala.setAllowAnyDevice({ ...signer, appAddress, allow: true });
    expect(await phala.getAllowedDevices({ ...of, deviceIds: [] })).toMatchObject({ allowAnyDevice: true });
    expect(await both()).toEqual([true, false, true]);
  });
});
