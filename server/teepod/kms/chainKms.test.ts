/** The contract-governed KMS on a real local chain. */
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../testing/chain';
import { deployContract } from '../../tools/chain/deploy';
import { imageHash } from '../attestation';
import { composeHash } from '../appCompose';
import type { Teepod } from '../server';
import { Client, startInProcess, temporaryDirectory, vmConfig } from '../testing/client';

const WEB = 'services:\n  web: {image: nginx}\n';
const OTHER = 'services:\n  web: {image: caddy}\n';
let chain: TestChain;
let gate: RpcGate;
let contract: TestContract;
let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  contract = await chain.deployKms();
  await contract.send('addOsImageHash', [`0x${imageHash('dstack-local-0.6.0')}`]);
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, {
    TEEPOD_ENGINE: 'simulate',
    TEEPOD_KMS_CONTRACT: contract.address,
    TEEPOD_KMS_CHAIN_ID: '31337',
    TEEPOD_KMS_RPC_URLS: gate.url,
  });
  client = new Client(teepod.listen);
});
afterAll(async () => {
  await teepod?.close();
  await dir?.remove();
  await gate?.close();
  await chain?.stop();
});

const app = { image: 'dstack-local-0.6.0', kms_urls: ['http://127.0.0.1:1/kms-chain'] };
const hashOf = (compose: string) => composeHash(String(vmConfig(compose, app).compose_file));

const deployApp = async (compose_hash: string, device_id = teepod.device_id) =>
  (await contract.deployApp({ compose_hash, device_id })).address;

const boot = async (address: Address, compose = WEB) => {
  const app_id = address.slice(2).toLowerCase();
  const id = await client.create(compose, { ...app, app_id });
  const { boot_error, boot_progress } = await client.booted(id);
  return boot_error || boot_progress;
};

test('boots only what the contract allows, and returns its reason otherwise', async () => {
  const address = await deployApp(hashOf(WEB));
  expect(await boot(address)).toBe('done');
  expect(await boot(address, OTHER)).toBe('the KMS contract refused the app keys: Compose hash not allowed');
  await contract.appAt(address).send('addComposeHash', [`0x${hashOf(OTHER)}`]);
  expect(await boot(address, OTHER)).toBe('done');
  const elsewhere = await deployApp(hashOf(WEB), 'd9'.repeat(32));
  expect(await boot(elsewhere)).toMatch(/Device not allowed$/);
  expect(await boot(`0x${'12'.repeat(20)}`)).toMatch(/App not registered$/);
});

test('returns the revert reason of an app’s contract', async () => {
  for (const [reason, said] of [
    ['boom', /refused the app keys: the app's contract failed with “boom”$/],
    ['', /refused the app keys: the app's contract gave no answer$/],
  ] as const) {
    const { address } = await deployContract(chain.client, 'Failing', { args: [reason] });
    await contract.send('registerApp', [address]);
    expect(await boot(address)).toMatch(said);
  }
});

test('releases nothing while the chain cannot be read', async () => {
  const address = await deployApp(hashOf(WEB));
  gate.mode = 'status_500';
  const refused = await boot(address);
  gate.mode = 'open';
  expect(refused).toMatch(/on chain 31337 can't be read, so the app gets no keys/);
  expect(refused).not.toContain('key-9f3a');
});

test('has its own keys, and doesn’t affect the other KMS’s CVMs', async () => {
  const [central, guarded] = await Promise.all(
    ['/kms', '/kms-chain'].map((path) => client.rpc<Record<string, unknown>>(`${path}/prpc/GetMeta`)),
  );
  expect(guarded).toMatchObject({
    allow_any_upgrade: false,
    chain_id: 31337,
    kms_contract_address: contract.address,
  });
  expect(central).toMatchObject({ allow_any_upgrade: true, chain_id: null });
  expect(guarded?.k256_pubkey).not.toBe(central?.k256_pubkey);
  const id = await client.create(WEB, { image: app.image });
  expect((await client.booted(id)).boot_error).toBe('');
});
