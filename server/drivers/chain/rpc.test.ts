import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../testing/chain';
import { configureChains } from '../../../console/lib/kms/chains';
import { deployContract, receiptOf } from '../../tools/chain/deploy';
import { ChainError, type ChainDriver } from './index';
import { createChainDriver } from './rpc';

const word = (digit: string) => `0x${digit.repeat(64)}`;
const K256 = '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538';
const none = { os_image_hashes: [], device_ids: [] };

const rpc = (...http: string[]) => ({ http, webSocket: [] });

let chain: TestChain;
let gate: RpcGate;
let contract: TestContract;
let driver: ChainDriver;
const at = (address: string = contract.address, chain_id = 31337) => ({ chain_id, address });

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  contract = await chain.deployKms();
  driver = createChainDriver(
    configureChains({
      local: rpc(gate.url),
      sepolia: rpc(gate.url),
      base: rpc('http://127.0.0.1:9/v2/secret-key'),
    }).filter(({ slug }) => slug !== 'ethereum'),
  );
  await contract.send('setKmsInfo', [
    { k256Pubkey: `0x${K256}`, caPubkey: '0x3059', quote: '0x', eventlog: '0x' },
  ]);
  await contract.send('setGatewayAppId', ['any']);
  await contract.send('addOsImageHash', [word('a')]);
  await contract.send('addOsImageHash', [word('b')]);
  await contract.send('removeOsImageHash', [word('b')]);
  await contract.send('addKmsAggregatedMr', [word('c')]);
  await contract.send('addKmsDevice', [word('d')]);
  await contract.send('registerApp', [contract.address]);
});

afterAll(async () => {
  await gate?.close();
  await chain?.stop();
});

describe('a KMS contract', () => {
  it('is read at one block: owner, keys, and the combination of events and mappings', async () => {
    const { facts, block_number, block_at } = await driver.readKms(at(), {
      os_image_hashes: ['e'.repeat(64), 'not a hash'],
      device_ids: ['D'.repeat(64)],
    });
    expect(facts).toMatchObject({
      code_present: true,
      owner: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      gateway_app_id: 'any',
      k256_pubkey: K256,
      ca_pubkey: '3059',
      app_count: 1,
      aggregated_mrs: [word('c')],
      devices: [{ device_id: word('d'), allowed: true }],
      complete: true,
    });
    // Hashes that were added and removed, or known but never added, aren't allowed.
    expect(facts.os_images).toEqual(
      expect.arrayContaining([
        { os_image_hash: word('a'), allowed: true },
        { os_image_hash: word('b'), allowed: false },
        { os_image_hash: word('e'), allowed: false },
      ]),
    );
    expect(facts.os_images).toHaveLength(3);
    expect(block_number).toBe(Number(await chain.client.getBlockNumber({ cacheTime: 0 })));
    expect(Math.abs(block_at.getTime() - Date.now())).toBeLessThan(60_000);
  });

  it('can hide nothing in its texts', async () => {
    const hostile = await chain.deployKms();
    await hostile.send('setGatewayAppId', ['gate\u0000way\u202e']);
    const shown = 'gate\ufffdway\ufffd';
    expect((await driver.readKms(at(hostile.address), none)).facts.gateway_app_id).toBe(shown);
    expect((await driver.describeKms(at(hostile.address))).gateway_app_id).toBe(shown);
  });

  it('is reported as missing', async () => {
    const { facts } = await driver.readKms(at(`0x${'1'.repeat(40)}`), none);
    expect(facts).toMatchObject({ code_present: false, owner: null });
  });

  it('has incomplete lists if there are too many values to look up', async () => {
    const many = Array.from({ length: 501 }, (_, i) => i.toString(16).padStart(64, '0'));
    const { facts } = await driver.readKms(at(), { os_image_hashes: many, device_ids: [] });
    expect(facts).toMatchObject({ complete: false });
    expect(facts.os_images).toHaveLength(500);
  });

  it('is queried for known values if the RPC offers no events', async () => {
    gate.mode = 'no_events';
    const { facts } = await driver.readKms(at(), { os_image_hashes: [word('a')], device_ids: [] });
    gate.mode = 'open';
    expect(facts).toMatchObject({
      complete: false,
      app_count: null,
      os_images: [{ os_image_hash: word('a'), allowed: true }],
    });
  });
});

describe('a chain that cannot be read', () => {
  const failure = async (reading: Promise<unknown>) => {
    const error = await reading.then(
      () => null,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(ChainError);
    return error as ChainError;
  };

  it('is rejected if it is another chain', async () => {
    const error = await failure(driver.readKms(at(contract.address, 11155111), none));
    expect(error.kind).toBe('wrong_chain');
    expect(error.message).toMatch(/Sepolia.*serves chain 31337, not 11155111/);
  });

  it("isn't responding, refuses or returns nonsense, and its access key is in no message", async () => {
    const dead = await failure(driver.readKms(at(contract.address, 8453), none));
    expect(dead).toMatchObject({ kind: 'unreachable' });
    expect(dead.message).not.toContain('secret-key');
    gate.mode = 'status_500';
    const broken = await failure(driver.readKms(at(), none));
    expect(broken).toMatchObject({ kind: 'unreachable' });
    expect(broken.message).toContain('500');
    gate.mode = 'nonsense';
    const odd = await failure(driver.readKms(at(), none));
    gate.mode = 'open';
    for (const { message } of [broken, odd]) expect(message).not.toContain('key-9f3a');
    expect((await failure(driver.readKms(at(contract.address, 1), none))).message).toContain('no RPC');
  });

  it('is not read from an RPC whose newest block has no time that exists', async () => {
    const newest = { number: '0x10', timestamp: `0x${'f'.repeat(20)}`, hash: word('1'), transactions: [] };
    gate.answers = ({ method }) =>
      method === 'eth_getBlockByNumber' ? { status: 200, result: newest } : null;
    const error = await failure(driver.readKms(at(), none));
    gate.answers = null;
    expect(error).toMatchObject({ kind: 'bad_reply', message: expect.stringContaining('invalid') as string });
  });

  it('says nothing about a contract while its RPC limits requests', async () => {
    const { address } = await contract.deployApp({
      compose_hash: 'c4'.repeat(32),
      device_id: 'd1'.repeat(32),
    });
    const question = {
      app_id: address.slice(2),
      compose_hashes: ['c4'.repeat(32)],
      device_ids: [],
      boots: [],
    };
    gate.answers = ({ method }) =>
      method === 'eth_call'
        ? { status: 200, error: { code: 429, message: 'compute units per second exceeded' } }
        : null;
    const limited = await failure(driver.readApp(at(), question));
    const two = createChainDriver(configureChains({ local: rpc(gate.url, chain.url) }));
    const read = await two.readApp(at(), question);
    gate.answers = null;
    expect(limited.kind).toBe('unreachable');
    expect(limited.message).toContain('is limiting requests');
    expect(read).toMatchObject({ registered: true, compose_hashes: [true] });
  });

  it('is canceled when the caller disconnects', async () => {
    gate.mode = 'silent';
    const reading = driver.readKms(at(), none, AbortSignal.timeout(100));
    await expect(reading).rejects.toThrow(/timeout/i);
    gate.mode = 'open';
  });

  it.each(['silent', 'stalls'] as const)(
    'is read through the next RPC while one is %s, even for a caller with its own time limit',
    async (mode) => {
      const fallback = createChainDriver(configureChains({ local: rpc(gate.url, chain.url) }));
      gate.mode = mode;
      const { facts } = await fallback.readKms(at(), none, AbortSignal.timeout(40_000));
      gate.mode = 'open';
      expect(facts.code_present).toBe(true);
    },
  );

  it('is read through the next RPC while one is unreachable or serves another chain', async () => {
    const fallback = createChainDriver(
      configureChains({ local: rpc('http://127.0.0.1:9/secret-key', gate.url) }),
    );
    expect((await fallback.readKms(at(), none)).facts.code_present).toBe(true);
    const { usable, errors } = await fallback.checkRpcs(31337);
    expect(usable).toBe(true);
    expect(errors.map(({ message }) => message)).toEqual([
      "The RPC for Local development (127.0.0.1:9) isn't responding.",
    ]);
    const wrong = createChainDriver(configureChains({ sepolia: rpc(gate.url, chain.url) }));
    expect(await wrong.checkRpcs(11155111)).toMatchObject({
      usable: false,
      errors: [{ kind: 'wrong_chain' }, { kind: 'wrong_chain' }],
    });
  });
});

describe('a transaction', () => {
  it('needs two RPCs to agree, if two are configured', async () => {
    const honest = await contract.send('addOsImageHash', [word('f')]);
    const [account] = await chain.client.getAddresses();
    // Not simulated, so that it reaches a block and fails there.
    const reverted = await chain.client.sendTransaction({
      account: account ?? null,
      to: contract.address,
      data: '0x12345678',
      gas: 100_000n,
    });
    await receiptOf(chain.client, reverted);
    const two = createChainDriver(configureChains({ local: rpc(gate.url, chain.url) }));
    const outcome = (hash: string, by = two) => by.checkTransaction(at(), hash);
    expect(await outcome(honest.transactionHash)).toBe('succeeded');
    expect(await outcome(reverted)).toBe('reverted');
    gate.mode = 'lies';
    expect(await outcome(reverted)).toBe('disputed');
    // An RPC that doesn't know it yet is queried again.
    gate.mode = 'behind';
    setTimeout(() => (gate.mode = 'open'), 500);
    expect(await outcome(honest.transactionHash)).toBe('succeeded');
    // An RPC that is down decides nothing.
    gate.mode = 'status_500';
    expect(await outcome(reverted)).toBe('reverted');
    gate.mode = 'open';
  });
});

describe('a boot', () => {
  it('is allowed only if two RPCs agree, if two are configured', async () => {
    const app = await contract.deployApp({ compose_hash: 'c1'.repeat(32), device_id: 'd1'.repeat(32) });
    const boot = {
      subject: 'app' as const,
      app_id: app.address.slice(2),
      compose_hash: 'c1'.repeat(32),
      device_id: 'd1'.repeat(32),
      os_image_hash: 'a'.repeat(64),
      tcb_status: 'UpToDate',
    };
    const two = createChainDriver(configureChains({ local: rpc(gate.url, chain.url) }));
    expect(await two.authorizeBoot(at(), boot)).toMatchObject({
      allowed: true,
      reason: '',
      gateway_app_id: 'any',
    });
    gate.mode = 'lies';
    const other = { ...boot, compose_hash: 'c2'.repeat(32) };
    const lied = await two.authorizeBoot(at(), other);
    gate.mode = 'open';
    expect(lied).toMatchObject({ allowed: false, reason: 'Compose hash not allowed' });
    // If one is down, the other decides.
    gate.mode = 'status_500';
    const left = [await two.authorizeBoot(at(), boot), await two.authorizeBoot(at(), other)];
    gate.mode = 'open';
    expect(left.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(await two.authorizeBoot(at(), { ...boot, subject: 'kms' })).toMatchObject({
      allowed: false,
      reason: 'Aggregated MR not allowed',
    });
    await expect(two.authorizeBoot(at(`0x${'1'.repeat(40)}`), boot)).rejects.toThrow('no answer');
  });
});

it('doesn’t take a limit on requests for a missing old block', async () => {
  const app = await contract.deployApp({ compose_hash: 'c6'.repeat(32), device_id: 'd1'.repeat(32) });
  const deployed = Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
  await chain.client.mine({ blocks: 20 });
  const start = () => driver.startBlock(at(app.address));
  // The first request shows whether there is a contract; the others search for its block.
  for (const allowed of [0, 2]) {
    let asked = 0;
    gate.answers = ({ method }) =>
      method === 'eth_getCode' && asked++ >= allowed
        ? { status: 200, error: { code: -32016, message: 'over rate limit' } }
        : null;
    await expect(start(), `after ${allowed} requests`).rejects.toThrow('is limiting requests');
  }
  gate.answers = null;
  expect(await start()).toEqual({ block: deployed, exact: true });
});

it('finds apps by the compose hash they allow, even if the RPC returns few blocks at a time', async () => {
  const compose_hash = 'c7'.repeat(32);
  const deploy = (hash: string) => contract.deployApp({ compose_hash: hash, device_id: 'd1'.repeat(32) });
  const [first] = [await deploy(compose_hash), await deploy('c8'.repeat(32))];
  const second = await deploy(compose_hash);
  const found = [second, first].map(({ address }) => address.slice(2).toLowerCase());
  expect(await driver.findApps(at(), { compose_hash })).toEqual(found);
  expect(await driver.findApps(at(), { compose_hash: 'c9'.repeat(32) })).toEqual([]);
  const spans: number[] = [];
  gate.answers = ({ method, from, to }) => {
    if (method !== 'eth_getLogs') return null;
    spans.push(to - from + 1);
    // As many blocks as exist by now, but not 5,000.
    return spans.length < 3 ? { status: 200, error: { code: -32005, message: 'range too wide' } } : null;
  };
  const narrow = await driver.findApps(at(), { compose_hash });
  gate.answers = null;
  expect(narrow).toEqual(found);
  expect(spans).toHaveLength(3);
});

it('finds an account’s own apps behind those that others deploy in its name', async () => {
  const compose_hash = 'ca'.repeat(32);
  const [, owner, other] = await chain.client.getAddresses();
  const device_id = 'd1'.repeat(32);
  const own = await contract.deployApp({ compose_hash, device_id, from: owner as `0x${string}` });
  const args = [owner, false, true, `0x${device_id}`, `0x${compose_hash}`];
  for (let n = 0; n < 21; n++) await contract.send('deployAndRegisterApp', args, other);
  const found = [own.address.slice(2).toLowerCase()];
  for (const named of [owner, owner?.toLowerCase()])
    expect(await driver.findApps(at(), { compose_hash, owner: named as string })).toEqual(found);
  expect(await driver.findApps(at(), { compose_hash, owner: other as string })).toEqual([]);
});

it.each([
  ['<b>boom</b>.', "the app's contract failed with “<b>boom</b>”"],
  ['x'.repeat(2_000), `the app's contract failed with “${'x'.repeat(500)}”`],
  ['', "the app's contract gave no answer"],
])('names the app’s contract, and decodes why it failed (%#)', async (reason, said) => {
  const { address } = await deployContract(chain.client, 'Failing', { args: [reason] });
  await contract.send('registerApp', [address]);
  const app_id = address.slice(2);
  const boot = {
    app_id,
    compose_hash: 'c1'.repeat(32),
    os_image_hash: 'a'.repeat(64),
    tcb_status: 'UpToDate',
  };
  const read = async (kms = at()) => {
    const question = { app_id, compose_hashes: [], device_ids: [], boots: [boot] };
    return (await driver.readApp(kms, question)).verdicts;
  };
  expect(await read()).toEqual([{ allowed: false, reason: said }]);
  // Without a contract at the KMS contract's address, no app's contract was called.
  expect(await read(at(`0x${'1'.repeat(40)}`))).toEqual([
    { allowed: false, reason: 'the KMS contract gave no answer' },
  ]);
});

it('follows no contract to a URL of its choice (EIP-3668)', async () => {
  const asked: string[] = [];
  const lurking = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"0x"}');
  });
  await new Promise<void>((resolve) => lurking.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(lurking.address() as AddressInfo).port}/{sender}/{data}`;
    const { address: lure } = await deployContract(chain.client, 'Lure', { args: [url] });
    const app_id = lure.slice(2);
    const boot = { app_id, compose_hash: 'c1'.repeat(32), tcb_status: 'UpToDate' };
    await driver.acceptsSignature(at(lure), { hash: word('a'), signature: `0x${'ab'.repeat(65)}` });
    await driver.readApp(at(), { app_id, compose_hashes: ['c1'.repeat(32)], device_ids: [], boots: [boot] });
    await driver.isAppAllowed(at(lure), boot).catch(() => undefined);
    await driver.readKms(at(lure), none).catch(() => undefined);
    expect(asked).toEqual([]);
  } finally {
    lurking.closeAllConnections();
    lurking.close();
  }
});
