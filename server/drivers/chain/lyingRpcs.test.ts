import { encodeAbiParameters, toFunctionSelector, toHex, type Address } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configureChains, networkName } from '../../../console/lib/kms/chains';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../testing/chain';
import { deployContract, receiptOf } from '../../tools/chain/deploy';
import type { ChainDriver } from './index';
import { createChainDriver } from './rpc';

/** What an RPC that lies, fails in part or is stuck can't decide. */
let chain: TestChain;
/** The first of two RPCs. */
let gate: RpcGate;
let contract: TestContract;
let two: ChainDriver;
const at = (address: string = contract.address) => ({ chain_id: 31337, address });
const driverOf = (...http: string[]) =>
  createChainDriver(configureChains({ local: { http, webSocket: [] } }));

const DEVICE = 'd1'.repeat(32);
const IMAGE = 'a'.repeat(64);
const GATEWAY = '0x95f51931';
const KMS_INFO = '0x09177063';
const PENDING_OWNER = '0xe30c3978';
const ALLOW_ANY_DEVICE = toFunctionSelector('allowAnyDevice()');

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  contract = await chain.deployKms();
  two = driverOf(gate.url, chain.url);
  await contract.send('setGatewayAppId', ['0xGateway']);
  await contract.send('addOsImageHash', [`0x${IMAGE}`]);
});
afterEach(() => {
  gate.answers = null;
  gate.mode = 'open';
});
afterAll(async () => {
  await gate?.close();
  await chain?.stop();
});

type Answer = ReturnType<NonNullable<RpcGate['answers']>>;
const returns = (result: unknown): Answer => ({ status: 200, result: result as object });
/** Answers calls of a contract's function, by its selector. */
function answerCalls(selector: string, answer: Answer): void {
  gate.answers = ({ method, text }) => (method === 'eth_call' && text.includes(selector) ? answer : null);
}
/** Queries the chain, without viem's types. */
async function ask<T>(method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const reply = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return ((await reply.json()) as { result: T }).result;
}
const newestBlock = () => ask<object>('eth_getBlockByNumber', 'latest', false);

describe('a boot', () => {
  it('gets no gateway that only one of two RPCs names', async () => {
    const compose_hash = 'c1'.repeat(32);
    const app = await contract.deployApp({ compose_hash, device_id: DEVICE });
    const boot = {
      subject: 'app' as const,
      app_id: app.address.slice(2),
      compose_hash,
      device_id: DEVICE,
      os_image_hash: IMAGE,
      tcb_status: 'UpToDate',
    };
    answerCalls(GATEWAY, returns(encodeAbiParameters([{ type: 'string' }], ['evil'])));
    expect(await two.authorizeBoot(at(), boot)).toMatchObject({
      allowed: false,
      reason: 'Two RPCs disagree about the gateway',
      gateway_app_id: '',
    });
    // An RPC that is a block behind is queried again.
    const behind = two.authorizeBoot(at(), boot);
    setTimeout(() => (gate.answers = null), 500);
    expect(await behind).toMatchObject({ allowed: true, gateway_app_id: '0xGateway' });
  });
});

it('tells a KMS’s clients no gateway that only one of two RPCs names', async () => {
  expect(await two.describeKms(at())).toMatchObject({ gateway_app_id: '0xGateway' });
  answerCalls(GATEWAY, returns(encodeAbiParameters([{ type: 'string' }], ['evil'])));
  await expect(two.describeKms(at())).rejects.toThrow('Two RPCs disagree about the gateway.');
  gate.answers = null;
  gate.mode = 'status_500';
  expect(await two.describeKms(at())).toMatchObject({ gateway_app_id: '0xGateway' });
});

describe('an error of the RPC', () => {
  it.each([
    [-32000, 'header not found'],
    [-32000, 'missing trie node 5d6e (path )'],
    [-32603, 'Temporary internal error. Please retry'],
    [-32001, 'block not found'],
  ])('is not an answer of the contract: %i %s', async (code, message) => {
    const app = await contract.deployApp({ compose_hash: 'c2'.repeat(32), device_id: DEVICE });
    const question = { app_id: app.address.slice(2), compose_hashes: [], device_ids: [], boots: [] };
    const failed: Answer = { status: 200, error: { code, message } };
    const readings = [
      [KMS_INFO, (by: ChainDriver) => by.readKms(at(), { os_image_hashes: [], device_ids: [] })],
      [IMAGE, (by: ChainDriver) => by.readKmsLists(at(), { os_image_hashes: [IMAGE], device_ids: [] })],
      [PENDING_OWNER, (by: ChainDriver) => by.readApp(at(), question)],
      [ALLOW_ANY_DEVICE, (by: ChainDriver) => by.readApp(at(), question)],
    ] as const;
    for (const [called, read] of readings) {
      answerCalls(called, failed);
      await expect(read(driverOf(gate.url)), called).rejects.toThrow(`refused the request: ${message}`);
      // Another RPC is asked instead.
      await expect(read(two), called).resolves.toBeTruthy();
    }
  });

  it.each([
    [3, 'execution reverted'],
    [-32000, 'execution reverted: too many requests'],
    [-32000, 'invalid opcode: INVALID'],
    [-32000, 'out of gas'],
    [-32003, 'Out of gas: gas required exceeds allowance: 30000000'],
    [-32015, 'VM execution error.'],
    [-32603, 'EVM error InvalidFEOpcode'],
  ])('is the contract’s if its code failed: %i %s', async (code, message) => {
    answerCalls(KMS_INFO, { status: 200, error: { code, message } });
    const { facts } = await driverOf(gate.url).readKms(at(), { os_image_hashes: [], device_ids: [] });
    expect(facts).toMatchObject({ code_present: true, k256_pubkey: null, gateway_app_id: '0xGateway' });
  });

  it('is not an answer in another form, which is the contract’s', async () => {
    answerCalls(KMS_INFO, returns('0x12'));
    const { facts } = await driverOf(gate.url).readKms(at(), { os_image_hashes: [], device_ids: [] });
    expect(facts).toMatchObject({ code_present: true, k256_pubkey: null });
  });
});

describe('a storage slot', () => {
  it.each([
    ['0x', false, null],
    ['0x0', false, null],
    [`0x${'0'.repeat(64)}`, false, null],
    ['0x100', false, `0x${'100'.padStart(40, '0')}`],
    ['0x1', true, `0x${'1'.padStart(40, '0')}`],
    [`0x${'0'.repeat(24)}${'AB'.repeat(20)}`, true, `0x${'ab'.repeat(20)}`],
  ])('is read in any length: %s', async (word, upgrades_disabled, implementation) => {
    const app = await contract.deployApp({ compose_hash: 'c3'.repeat(32), device_id: DEVICE });
    gate.answers = ({ method }) => (method === 'eth_getStorageAt' ? returns(word) : null);
    const question = { app_id: app.address.slice(2), compose_hashes: [], device_ids: [], boots: [] };
    expect(await driverOf(gate.url).readApp(at(), question)).toMatchObject({
      upgrades_disabled,
      implementation,
    });
  });
});

it('doesn’t take another app’s or contract’s word for a deployer from an RPC that ignores filters', async () => {
  const [, other] = await chain.client.getAddresses();
  const deploy = (from?: Address) =>
    contract.deployApp({ compose_hash: 'c4'.repeat(32), device_id: DEVICE, ...(from ? { from } : {}) });
  await deploy();
  const app = await deploy(other);
  const app_id = app.address.slice(2).toLowerCase();
  const logs = await ask<{ topics: string[] }[]>('eth_getLogs', {
    address: contract.address,
    fromBlock: '0x0',
    toBlock: 'latest',
  });
  const deployer = async (found: unknown) => {
    gate.answers = ({ method }) => (method === 'eth_getLogs' ? returns(found) : null);
    const question = { app_id, compose_hashes: [], device_ids: [], boots: [] };
    return (await driverOf(gate.url).readApp(at(), question)).deployer;
  };
  expect(await deployer(logs)).toBe(other?.toLowerCase());
  expect(await deployer(logs.filter(({ topics }) => !topics[1]?.endsWith(app_id)))).toBeNull();
  expect(await deployer(logs.map((log) => ({ ...log, address: app.address })))).toBeNull();
});

describe('an RPC that stopped syncing', () => {
  const none = { os_image_hashes: [], device_ids: [] };

  it.each([
    ['base', 8453, 5],
    ['ethereum', 1, 10],
    ['sepolia', 11155111, 30],
  ] as const)('shows no state of %s as the current one', async (slug, chain_id, minutes) => {
    const current = await startRpcGate(chain);
    try {
      const newest = await newestBlock();
      /** Stands in for the network. */
      const serves =
        (age_minutes: number): NonNullable<RpcGate['answers']> =>
        ({ method }) => {
          if (method === 'eth_chainId') return returns(toHex(chain_id));
          if (method !== 'eth_getBlockByNumber') return null;
          return returns({ ...newest, timestamp: toHex(Math.floor(Date.now() / 1000 - age_minutes * 60)) });
        };
      const by = (...http: string[]) =>
        createChainDriver(configureChains({ [slug]: { http, webSocket: [] } }));
      const read = (driver: ChainDriver) => driver.readKms({ chain_id, address: contract.address }, none);
      current.answers = serves(0);
      gate.answers = serves(minutes + 1);
      await expect(read(by(gate.url))).rejects.toMatchObject({
        kind: 'unreachable',
        message:
          `The RPC for ${networkName(chain_id)} (${new URL(gate.url).host}) is behind: ` +
          `its newest block is more than ${minutes} minutes old. Check whether it is syncing and this server's clock is right.`,
      });
      const { facts, block_at } = await read(by(gate.url, current.url));
      expect(facts.code_present).toBe(true);
      expect(Date.now() - block_at.getTime()).toBeLessThan(60_000);
      expect(await by(gate.url, current.url).checkRpcs(chain_id)).toMatchObject({
        usable: true,
        errors: [{ message: expect.stringContaining('is behind') as string }],
      });
      gate.answers = serves(minutes - 1);
      expect((await read(by(gate.url))).facts.code_present).toBe(true);
    } finally {
      await current.close();
    }
  });

  it('isn’t one for local development, where blocks are made only for transactions', async () => {
    const newest = await newestBlock();
    gate.answers = ({ method }) =>
      method === 'eth_getBlockByNumber' ? returns({ ...newest, timestamp: '0x1' }) : null;
    expect((await driverOf(gate.url).readKms(at(), none)).block_at).toEqual(new Date(1000));
  });
});

describe('with two RPCs, one of them down', () => {
  /** Lies about everything that would be convincing. */
  let liar: RpcGate;
  beforeAll(async () => {
    liar = await startRpcGate(chain);
    liar.mode = 'lies';
    liar.answers = ({ method, text }) =>
      method === 'eth_call' && text.includes('0x1626ba7e') ? returns(`0x1626ba7e${'0'.repeat(56)}`) : null;
  });
  afterAll(() => liar?.close());

  it('accepts no signature from the other one', async () => {
    const wallet = await deployContract(chain.client, 'SmartWallet', {
      args: [(await chain.client.getAddresses())[0]],
    });
    const signed = { hash: `0x${'5a'.repeat(32)}`, signature: `0x${'ab'.repeat(65)}` };
    const accepted = (...urls: string[]) => driverOf(...urls).acceptsSignature(at(wallet.address), signed);
    // Without a second RPC there is nothing to compare with.
    expect(await accepted(liar.url)).toBe(true);
    expect(await accepted(gate.url, liar.url)).toBe(false);
    gate.mode = 'status_500';
    await expect(accepted(gate.url, liar.url)).rejects.toMatchObject({
      kind: 'unreachable',
      message:
        'Only one RPC for Local development responded. Two must confirm the signature: try again in a minute.',
    });
    // A third one stands in, and one refusal is enough.
    expect(await accepted(gate.url, liar.url, chain.url)).toBe(false);
    expect(await accepted(gate.url, chain.url)).toBe(false);
  });

  it('takes no transaction for a success from the other one', async () => {
    const [account] = await chain.client.getAddresses();
    // Not simulated, so that it reaches a block and fails there.
    const hash = await chain.client.sendTransaction({
      account: account ?? null,
      to: contract.address,
      data: '0x12345678',
      gas: 100_000n,
    });
    await receiptOf(chain.client, hash);
    const outcome = (...urls: string[]) => driverOf(...urls).checkTransaction(at(), hash);
    expect(await outcome(liar.url)).toBe('succeeded');
    gate.mode = 'status_500';
    await expect(outcome(gate.url, liar.url)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('Two must confirm the transaction') as string,
    });
    expect(await outcome(gate.url, liar.url, chain.url)).toBe('disputed');
    expect(await outcome(gate.url, chain.url)).toBe('reverted');
  });
});
