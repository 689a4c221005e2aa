import { HDKey } from '@scure/bip32';
import { pino } from 'pino';
import { getAddress, type Address } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AuditEntryPage,
  Billing,
  NotificationPage,
  PaymentPage,
  TransactionPage,
  UsdcPayments,
} from '../../../generated/api/types.gen';
import { chainNamed, configureChains, type ChainDefinition } from '../../../console/lib/kms/chains';
import { checkBooks } from '../../db/billing/checkBooks';
import { createChainDriver } from '../../drivers/chain/rpc';
import { startRpcGate, startTestChain, type RpcGate, type TestChain } from '../../testing/chain';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { compiledContract } from '../../tools/chain/compile';
import { contractAt, type DeployedContract } from '../../tools/chain/deploy';
import { watchUsdc } from './usdcDeposits';

const DOLLAR = 1_000_000n;
const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/1'/0").publicExtendedKey;
const CONFIRMATIONS = 3;

let server: TestServer;
let chain: TestChain;
let gate: RpcGate;
let token: DeployedContract;
let payer: Address;
let client: TestClient;
let address: Address;

const deployToken = async (on: TestChain): Promise<DeployedContract> => {
  const [account] = await on.client.getAddresses();
  const { abi, bytecode } = compiledContract('TestUsd');
  const hash = await on.client.deployContract({ abi, bytecode, account: account!, args: [] });
  const { contractAddress } = await on.client.waitForTransactionReceipt({ hash });
  return contractAt(on.client, contractAddress!, abi, account!);
};

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  token = await deployToken(chain);
  [payer] = (await chain.client.getAddresses()) as [Address];
  server = await startTestServer({
    env: {
      TEEHOUSE_ROLE: 'web',
      USDC_XPUB: XPUB,
      USDC_NETWORKS: `local=${token.address}`,
      LOCAL_CHAIN_RPC_URL: gate.url,
    },
  });
  await server.register();
  await read();
  await token.send('mint', [payer, 1_000_000n * DOLLAR]);
});
afterAll(async () => {
  if (server) expect(await checkBooks(server.services.db)).toEqual([]);
  await server?.stop();
  await gate?.close();
  await chain?.stop();
});
beforeEach(async () => {
  gate.mode = 'open';
  client = await server.register();
  address = ((await client.call('createUsdcAddress')).body as { address: Address }).address;
});

const network = { token: '', confirmations: CONFIRMATIONS, chain: chainNamed('local') as ChainDefinition };
const read = (urls: readonly string[] = [gate.url]) =>
  watchUsdc({
    db: server.services.db,
    chain: createChainDriver(configureChains({ local: { http: urls, webSocket: [] } })),
    networks: [{ ...network, token: token.address.toLowerCase() }],
    log: pino({ level: 'silent' }),
  });
const send = (amount: bigint, to: Address = address) => token.send('transfer', [to, amount]);
const mine = (blocks: number) => chain.client.mine({ blocks });
const shown = async (by = client) => (await by.call('getUsdcPayments')).body as UsdcPayments;
const prepaid = async (by = client) => ((await by.call('getBilling')).body as Billing).prepaid;

describe('an address for USDC', () => {
  it('is a team’s own, and stays the same', async () => {
    const again = await client.call('createUsdcAddress');
    expect(again).toMatchObject({ status: 200, body: { address } });
    const other = await server.register();
    expect(((await other.call('createUsdcAddress')).body as { address: string }).address).not.toBe(address);
    expect(address).toBe(getAddress(address));
    const audit = (await client.call('listAuditEntries', { path: { slug: client.slug ?? '' } }))
      .body as AuditEntryPage;
    expect(audit.data.filter(({ action }) => action === 'usdc_address.create')).toHaveLength(1);
  });

  it('is one, also for two members who ask at the same time', async () => {
    const fresh = await server.register();
    const answers = await Promise.all(Array.from({ length: 5 }, () => fresh.call('createUsdcAddress')));
    expect(new Set(answers.map(({ body }) => (body as { address: string }).address)).size).toBe(1);
  });

  it('comes with the networks that are read', async () => {
    await read();
    expect(await shown()).toMatchObject({
      address,
      minimum: '1.00',
      networks: [{ chain_id: 31337, token: getAddress(token.address), current: true }],
      deposits: [],
    });
  });
});

describe('a deposit', () => {
  it('is shown immediately, and added when it has enough confirmations, once', async () => {
    const { transactionHash } = await send(250n * DOLLAR + 5n);
    await read();
    expect((await shown()).deposits).toMatchObject([
      {
        tx_hash: transactionHash,
        amount: '250.000005',
        state: 'pending',
        confirmations: 1,
        payment_id: null,
      },
    ]);
    expect(await prepaid()).toBe('0.00');
    await mine(CONFIRMATIONS - 1);
    await Promise.all([read(), read()]);
    await read();
    expect(await prepaid()).toBe('250.000005');
    const [deposit] = (await shown()).deposits;
    const [payment] = ((await client.call('listTopUps')).body as PaymentPage).items;
    expect(payment).toMatchObject({
      driver: 'usdc',
      state: 'paid',
      received: '250.000005',
      id: deposit?.payment_id,
    });
    const { items } = (await client.call('listTransactions')).body as TransactionPage;
    expect(items.map(({ description }) => description)).toEqual([`USDC deposit ${payment?.reference}`]);
  });

  it('counts once per transfer: two in one block are two', async () => {
    await chain.client.setAutomine(false);
    const args = { account: payer, address: token.address, abi: token.abi, functionName: 'transfer' };
    for (const dollars of [3n, 4n])
      await chain.client.writeContract({ ...args, args: [address, dollars * DOLLAR] } as never);
    await chain.client.setAutomine(true);
    await mine(CONFIRMATIONS);
    await read();
    expect(await prepaid()).toBe('7.00');
  });

  it('below the minimum is shown, and not added', async () => {
    await send(DOLLAR - 1n);
    await mine(CONFIRMATIONS);
    await read();
    expect((await shown()).deposits).toMatchObject([{ state: 'small', amount: '0.999999' }]);
    expect(await prepaid()).toBe('0.00');
  });

  it('of less than a cent is nothing, however many there are', async () => {
    for (const amount of [0n, 1n, 9_999n]) await send(amount);
    await mine(CONFIRMATIONS);
    await read();
    expect((await shown()).deposits).toEqual([]);
  });

  it('arrives although a block has more transfers to another team than an RPC returns', async () => {
    const other = await server.register();
    const flooded = ((await other.call('createUsdcAddress')).body as { address: Address }).address;
    const { blockNumber } = await send(11n * DOLLAR);
    await mine(CONFIRMATIONS);
    gate.floods = { address: flooded, block: Number(blockNumber) };
    await read();
    gate.floods = null;
    expect(await prepaid()).toBe('11.00');
  });

  it('of another token does not count', async () => {
    const other = await deployToken(chain);
    await other.send('mint', [address, 500n * DOLLAR]);
    await mine(CONFIRMATIONS);
    await read();
    expect((await shown()).deposits).toEqual([]);
  });

  it('is added after the network was unreachable, however long', async () => {
    await read();
    gate.mode = 'down';
    await send(20n * DOLLAR);
    await mine(300);
    await read();
    expect((await shown()).networks).toMatchObject([{ current: false }]);
    gate.mode = 'open';
    await read();
    expect(await prepaid()).toBe('20.00');
    expect((await shown()).networks).toMatchObject([{ current: true }]);
  });

  it('is another team’s business to nobody', async () => {
    await send(9n * DOLLAR);
    await mine(CONFIRMATIONS);
    await read();
    const other = await server.register();
    expect((await shown(other)).deposits).toEqual([]);
    const foreign = other.with({ 'x-workspace': client.slug ?? '' });
    expect((await foreign.call('getUsdcPayments')).status).toBeGreaterThanOrEqual(400);
  });
});

describe('a reorganization', () => {
  it('drops a deposit that did not count yet, and takes it up again when it comes back', async () => {
    const snapshot = await chain.client.snapshot();
    await send(30n * DOLLAR);
    await read();
    await chain.client.revert({ id: snapshot });
    await mine(1);
    await read();
    expect((await shown()).deposits).toMatchObject([{ state: 'dropped' }]);
    await send(30n * DOLLAR);
    await mine(CONFIRMATIONS);
    await read();
    expect(await prepaid()).toBe('30.00');
  });

  it('takes back what counted already, once nothing finds it anymore, and tells the payers', async () => {
    const snapshot = await chain.client.snapshot();
    await send(40n * DOLLAR);
    await mine(CONFIRMATIONS);
    await read();
    expect(await prepaid()).toBe('40.00');
    await chain.client.revert({ id: snapshot });
    await mine(CONFIRMATIONS + 1);
    // An RPC may lag behind for some readings.
    await read();
    expect(await prepaid()).toBe('40.00');
    for (let turn = 0; turn < 25; turn++) await read();
    expect(await prepaid()).toBe('0.00');
    expect((await shown()).deposits).toMatchObject([{ state: 'reversed' }]);
    const [payment] = ((await client.call('listTopUps')).body as PaymentPage).items;
    expect(payment).toMatchObject({ state: 'reversed', received: '0.00' });
    const notices = (await client.call('listNotifications')).body as NotificationPage;
    expect(notices.data.map(({ title }) => title)).toContain('A USDC deposit was undone');
  });
});

it('is not added on the word of one RPC where two are configured', async () => {
  const lie = await startTestChain();
  try {
    // The second chain has the same token at the same address, and a deposit that the first one never had.
    const forged = await deployToken(lie);
    expect(forged.address).toBe(token.address);
    await lie.client.mine({ blocks: Number(await chain.client.getBlockNumber()) + 10 });
    await forged.send('mint', [address, 900n * DOLLAR]);
    await mine(20);
    await lie.client.mine({ blocks: 20 });
    await read([gate.url, lie.url]);
    await read([lie.url, gate.url]);
    // Nor while the other is down.
    gate.mode = 'down';
    await read([gate.url, lie.url]);
    gate.mode = 'open';
    expect(await prepaid()).toBe('0.00');
  } finally {
    await lie.stop();
  }
});

it('reads nothing, and gives no address, on a server without USDC', async () => {
  const plain = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  try {
    const owner = await plain.register();
    expect((await owner.call('getBilling')).body).toMatchObject({ usdc_payments: false });
    expect((await owner.call('getUsdcPayments')).body).toMatchObject({
      address: null,
      networks: [],
      deposits: [],
    });
    expect((await owner.call('createUsdcAddress')).status).toBe(409);
  } finally {
    await plain.stop();
  }
});
