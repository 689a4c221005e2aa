import { pino } from 'pino';
import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { configureChains } from '../../../console/lib/kms/chains';
import { addedValues, findIndex } from '../../db/kms/contractIndex';
import type { ContractIndexRow } from '../../db/kms/contractIndexTables';
import { createChainDriver } from '../../drivers/chain/rpc';
import { startRpcGate, startTestChain, type RpcGate, type TestChain } from '../../testing/chain';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import type { DeployedContract } from '../../tools/chain/deploy';
import { startCuttableSocket, startScriptedSocket } from '../../testing/webSockets';
import { createContractFollower, type ContractFollower, type FollowerOptions } from './followContracts';
import { indexContract } from './indexContracts';

const word = (byte: string): Hex => `0x${byte.repeat(32)}`;
/** A timeout for a busy machine. Polling, which isn't running here, would never show the event. */
const soon = { timeout: 60_000, interval: 50 };
let database: TestDatabase;
let chain: TestChain;
let gate: RpcGate;
let app: DeployedContract;
let lines: { level: number; msg: string; reason?: string }[] = [];
const cleanups: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startTestChain();
  gate = await startRpcGate(chain);
});
afterAll(async () => {
  await gate?.close();
  await chain?.stop();
  await database?.drop();
});
beforeEach(async () => {
  lines = [];
  gate.answers = null;
  await database.db.deleteFrom('contract_indexes').execute();
  app = await (
    await chain.deployKms()
  ).deployApp({ compose_hash: 'c1'.repeat(32), device_id: 'd1'.repeat(32) });
  await addIndexed(app);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) });
const driver = (...webSocket: string[]) =>
  createChainDriver(configureChains({ local: { http: [gate.url], webSocket } }));
const warnings = () => lines.filter(({ level }) => level >= 40);
const rowOf = async (address: string) => (await findIndex(database.db, 31337, address)) as ContractIndexRow;
const valuesOf = async ({ address }: DeployedContract) =>
  (await addedValues(database.db, (await rowOf(address)).id, 'ComposeHashAdded', 100)).map(
    ({ value }) => value,
  );

async function addIndexed({ address }: Pick<DeployedContract, 'address'>): Promise<void> {
  await database.db
    .insertInto('contract_indexes')
    .values({ chain_id: 31337, address: address.toLowerCase() })
    .execute();
  await indexContract({ db: database.db, chain: driver(), log, turnMs: 100_000 }, await rowOf(address));
}

/** Follows the contracts, as a worker does, without polling. */
async function follow(
  webSocket: readonly string[],
  options: Partial<FollowerOptions> = {},
): Promise<{ follower: ContractFollower; opened: () => number }> {
  const rpc = driver(...webSocket);
  let opened = 0;
  const counted: FollowerOptions['chain'] = {
    ...rpc,
    watchEvents: (question, listener, signal) =>
      rpc.watchEvents(
        question,
        { ...listener, opened: () => void ((opened += 1), listener.opened()) },
        signal,
      ),
  };
  const follower = createContractFollower({
    db: database.db,
    chain: counted,
    log,
    firstRetryMs: 50,
    ...options,
  });
  cleanups.push(() => follower.stop());
  await follower.refresh();
  return { follower, opened: () => opened };
}

const socketOf = (url: string) => url.replace('http:', 'ws:');

it('reads a contract as soon as an event is announced', async () => {
  const { opened } = await follow([socketOf(chain.url)]);
  await vi.waitFor(() => expect(opened()).toBe(1), soon);
  await app.send('addComposeHash', [word('c2')]);
  await vi.waitFor(async () => expect(await valuesOf(app)).toEqual([word('c2'), word('c1')]), soon);
  await app.send('addComposeHash', [word('c3')]);
  await vi.waitFor(
    async () => expect(await valuesOf(app)).toEqual([word('c3'), word('c2'), word('c1')]),
    soon,
  );
  expect(warnings()).toEqual([]);
});

it('waits for an RPC that is some blocks behind the WebSocket', async () => {
  const { opened } = await follow([socketOf(chain.url)]);
  await vi.waitFor(() => expect(opened()).toBe(1), soon);
  let readings = 0;
  // The first read returns no event and the block it was at.
  const latest = await chain.client.getBlock({ blockTag: 'latest' });
  gate.answers = ({ method, text }) => {
    if (method === 'eth_getBlockByNumber' && text.includes('latest')) readings += 1;
    if (method !== 'eth_getBlockByNumber' || !text.includes('latest') || readings > 1) return null;
    return {
      status: 200,
      result: { number: `0x${latest.number.toString(16)}`, timestamp: '0x1', hash: latest.hash },
    };
  };
  await app.send('addComposeHash', [word('c2')]);
  await vi.waitFor(async () => expect(await valuesOf(app)).toEqual([word('c2'), word('c1')]), soon);
  expect(readings).toBeGreaterThan(1);
});

it('follows contracts that are added, and stops for removed ones', async () => {
  const { follower, opened } = await follow([socketOf(chain.url)]);
  await vi.waitFor(() => expect(opened()).toBe(1), soon);
  const other = await (
    await chain.deployKms()
  ).deployApp({
    compose_hash: 'e1'.repeat(32),
    device_id: 'd1'.repeat(32),
  });
  await addIndexed(other);
  await follower.refresh();
  await vi.waitFor(() => expect(opened()).toBe(2), soon);
  await other.send('addComposeHash', [word('e2')]);
  await vi.waitFor(async () => expect(await valuesOf(other)).toEqual([word('e2'), word('e1')]), soon);
  // An unchanged set of contracts keeps the connection.
  await follower.refresh();
  await app.send('addComposeHash', [word('c2')]);
  await vi.waitFor(async () => expect(await valuesOf(app)).toEqual([word('c2'), word('c1')]), soon);
  expect(opened()).toBe(2);
});

it('reconnects after its socket was cut, and logs that once', async () => {
  const proxy = await startCuttableSocket(chain.url);
  cleanups.push(() => proxy.close());
  const { opened } = await follow([proxy.url]);
  for (const [i, byte] of ['c2', 'c3', 'c4'].entries()) {
    await vi.waitFor(() => expect(opened()).toBe(i + 1), soon);
    await app.send('addComposeHash', [word(byte)]);
    await vi.waitFor(async () => expect(await valuesOf(app)).toContain(word(byte)), soon);
    proxy.cut();
  }
  await vi.waitFor(() => expect(opened()).toBe(4), soon);
  expect(warnings()).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain('key-9f3a');
});

it('uses the next WebSocket when one is down or on another chain', async () => {
  const elsewhere = await startScriptedSocket(({ id }, send) => send({ jsonrpc: '2.0', id, result: '0x1' }));
  cleanups.push(() => elsewhere.close());
  const { opened } = await follow(['ws://127.0.0.1:1/key-9f3a', elsewhere.url, socketOf(chain.url)]);
  await vi.waitFor(() => expect(opened()).toBe(1), soon);
  await app.send('addComposeHash', [word('c2')]);
  await vi.waitFor(async () => expect(await valuesOf(app)).toContain(word('c2')), soon);
  expect(elsewhere.accepted).toBe(1);
  expect(warnings()).toHaveLength(1);
});

it('trusts no announcement, and drops a WebSocket that sends only false ones', async () => {
  let lies = 0;
  const liar = await startScriptedSocket(({ id, method }, send) => {
    send({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a69' : '0xabc' });
    if (method !== 'eth_subscribe') return;
    const timer = setInterval(() => {
      lies += 1;
      send(eventOf(app.address, `0x${lies.toString(16).padStart(64, '0')}`));
    }, 40);
    cleanups.push(() => Promise.resolve(clearInterval(timer)));
  });
  cleanups.push(() => liar.close());
  const before = await rowOf(app.address);
  // The pause after false announcements is as long as after many failures.
  await follow([liar.url], { firstRetryMs: 60_000, againMs: 10, maxUntrue: 4 });
  await vi.waitFor(() => expect(warnings()).toHaveLength(1), soon);
  expect(warnings()[0]?.reason).toContain("announced events that its RPCs don't know");
  await vi.waitFor(() => expect(liar.open).toBe(0), soon);
  expect(liar.accepted).toBe(1);
  expect(await valuesOf(app)).toEqual([word('c1')]);
  expect(await rowOf(app.address)).toMatchObject({ start_block: before.start_block, last_error: null });
});

it.each([
  [
    'floods',
    (send: (message: object | string) => void) => {
      for (let i = 0; i < 5_000; i++) send({ jsonrpc: '2.0', id: 9, result: '0x1' });
    },
  ],
  [
    'sends a message that is too long',
    (send: (message: object | string) => void) => send('x'.repeat(2_000_000)),
  ],
  ['sends nonsense', (send: (message: object | string) => void) => send('<html>not found</html>')],
  [
    'announces other contracts',
    (send: (message: object | string) => void) => send(eventOf(`0x${'9'.repeat(40)}`, word('ab'))),
  ],
])('closes the connection to a WebSocket that %s', async (_, misbehave) => {
  const socket = await startScriptedSocket(({ id, method }, send) => {
    send({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a69' : '0xabc' });
    if (method === 'eth_subscribe') misbehave(send);
  });
  cleanups.push(() => socket.close());
  await follow([socket.url], { firstRetryMs: 600_000 });
  await vi.waitFor(() => expect(warnings()).toHaveLength(1), soon);
  await vi.waitFor(() => expect(socket.open).toBe(0), soon);
  expect(socket.accepted).toBe(1);
  expect(await valuesOf(app)).toEqual([word('c1')]);
});

it('leaves a chain with too many contracts to polling', async () => {
  const { follower, opened } = await follow([socketOf(chain.url)], { maxContracts: 0 });
  await follower.refresh();
  expect(opened()).toBe(0);
  expect(warnings()).toMatchObject([{ msg: expect.stringContaining('too many contracts') as string }]);
});

it('closes its connection when it is stopped, and when no longer refreshed', async () => {
  const socket = await startScriptedSocket(({ id, method }, send) =>
    send({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? '0x7a69' : '0xabc' }),
  );
  cleanups.push(() => socket.close());
  const { follower, opened } = await follow([socket.url]);
  await vi.waitFor(() => expect(opened()).toBe(1), soon);
  await follower.stop();
  await vi.waitFor(() => expect(socket.open).toBe(0), soon);
  const expired = await follow([socket.url], { expiryMs: 5_000 });
  await vi.waitFor(() => expect(socket.accepted).toBe(2), soon);
  await vi.waitFor(() => expect(socket.open).toBe(0), soon);
  // The lease was reacquired.
  await expired.follower.refresh();
  await vi.waitFor(() => expect(socket.accepted).toBe(3), soon);
  expect(warnings()).toEqual([]);
});

const eventOf = (address: string, block_hash: string) => ({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: {
    subscription: '0xabc',
    result: { address, blockNumber: '0x5', blockHash: block_hash, removed: false },
  },
});
