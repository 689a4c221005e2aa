import { pino } from 'pino';
import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { configureChains } from '../../../console/lib/kms/chains';
import { addedValues, findIndex, newestEvents } from '../../db/kms/contractIndex';
import type { ContractIndexRow } from '../../db/kms/contractIndexTables';
import { createChainDriver } from '../../drivers/chain/rpc';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../testing/chain';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { deployContract } from '../../tools/chain/deploy';
import { indexContract, indexDueContracts } from './indexContracts';

const word = (byte: string): Hex => `0x${byte.repeat(32)}`;
const maxEvents = 500;
let database: TestDatabase;
let chain: TestChain;
let gate: RpcGate;
let kms: TestContract;
let accounts: readonly Address[];

beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  accounts = await chain.client.getAddresses();
  kms = await chain.deployKms();
});
afterAll(async () => {
  await gate?.close();
  await chain?.stop();
  await database?.drop();
});
beforeEach(() => {
  gate.mode = 'open';
});

async function add(address: string, chain_id = 31337): Promise<number> {
  const { id } = await database.db
    .insertInto('contract_indexes')
    .values({ chain_id, address: address.toLowerCase() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const rowOf = async (address: string) => (await findIndex(database.db, 31337, address)) as ContractIndexRow;
const indexer = () => ({
  db: database.db,
  chain: createChainDriver(configureChains({ local: { http: [gate.url], webSocket: [] } })),
  log: pino({ level: 'silent' }),
  maxEvents,
  // A time limit for a busy machine.
  turnMs: 100_000,
});
async function index(address: string, options: { rewindBlocks?: number } = {}): Promise<ContractIndexRow> {
  await indexContract({ ...indexer(), ...options }, await rowOf(address));
  return rowOf(address);
}
const kindsOf = async (id: number) =>
  (await newestEvents(database.db, id, 100)).map(({ kind }) => kind).reverse();
const deploy = () => kms.deployApp({ compose_hash: 'c1'.repeat(32), device_id: 'd1'.repeat(32) });

it("finds a contract's first block and its whole history, with the sender of each change", async () => {
  await chain.client.mine({ blocks: 50 });
  const app = await deploy();
  const deployed = Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
  const id = await add(app.address);
  await app.send('addComposeHash', [word('c2')]);
  await app.send('transferOwnership', [accounts[2]]);
  await app.send('acceptOwnership', [], accounts[2]);
  const row = await index(app.address);
  expect(row).toMatchObject({ start_block: deployed, start_exact: true, last_error: null });
  expect(row.indexed_block).toBe(Number(await chain.client.getBlockNumber({ cacheTime: 0 })));
  expect(await kindsOf(id)).toEqual([
    'Upgraded',
    'OwnershipTransferred',
    'DeviceAdded',
    'ComposeHashAdded',
    'ComposeHashAdded',
    'OwnershipTransferStarted',
    'OwnershipTransferred',
  ]);
  const [newest] = await newestEvents(database.db, id, 1);
  expect(newest).toMatchObject({
    value: accounts[2]?.toLowerCase(),
    sender: accounts[2]?.toLowerCase(),
    tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
  });
  const hashes = await addedValues(database.db, id, 'ComposeHashAdded', 10);
  expect(hashes.map(({ value }) => value)).toEqual([word('c2'), word('c1')]);
});

// The first rewind reaches back to before the deployment, or only to after it.
it.each([0, 200])('undoes a reorganization %i blocks after the deployment', async (blocks) => {
  const app = await deploy();
  if (blocks > 0) await chain.client.mine({ blocks });
  const id = await add(app.address);
  await app.send('addComposeHash', [word('a1')]);
  await index(app.address, { rewindBlocks: 64 });
  const snapshot = await chain.client.snapshot();
  await app.send('addComposeHash', [word('a2')]);
  await app.send('addComposeHash', [word('a3')]);
  await app.send('addDevice', [word('a4')]);
  await index(app.address, { rewindBlocks: 64 });
  const valuesOf = async () =>
    (await addedValues(database.db, id, 'ComposeHashAdded', 10)).map(({ value }) => value);
  expect(await valuesOf()).toEqual([word('a3'), word('a2'), word('a1'), word('c1')]);
  await chain.client.revert({ id: snapshot });
  await chain.client.increaseTime({ seconds: 60 });
  await app.send('addComposeHash', [word('a5')]);
  // Shorter than before, then of the same length.
  await index(app.address, { rewindBlocks: 64 });
  expect(await valuesOf()).toEqual([word('a5'), word('a1'), word('c1')]);
  await chain.client.mine({ blocks: 5 });
  const row = await index(app.address, { rewindBlocks: 64 });
  expect(await valuesOf()).toEqual([word('a5'), word('a1'), word('c1')]);
  expect(row).toMatchObject({
    indexed_block: Number(await chain.client.getBlockNumber({ cacheTime: 0 })),
    last_error: null,
  });
  expect(await kindsOf(id)).not.toContain('DeviceRemoved');
});

it('keeps its events while an RPC of a public chain is some blocks behind', async () => {
  const base = await startTestChain(8453);
  try {
    const driver = createChainDriver(configureChains({ base: { http: [base.url], webSocket: [] } }));
    const contract = await base.deployKms();
    const app = await contract.deployApp({ compose_hash: 'c1'.repeat(32), device_id: 'd1'.repeat(32) });
    const id = await add(app.address, 8453);
    const row = async () =>
      (await findIndex(database.db, 8453, app.address.toLowerCase())) as ContractIndexRow;
    const read = async () => {
      await indexContract({ ...indexer(), chain: driver }, await row());
      const added = await addedValues(database.db, id, 'ComposeHashAdded', 10);
      return added.map(({ value }) => value);
    };
    const snapshot = await base.client.snapshot();
    await app.send('addComposeHash', [word('a1')]);
    await base.client.mine({ blocks: 3 });
    expect(await read()).toEqual([word('a1'), word('c1')]);
    const before = await row();
    // The same URL may lead to a node that doesn't have these blocks yet.
    await base.client.revert({ id: snapshot });
    expect(await read()).toEqual([word('a1'), word('c1')]);
    expect(await row()).toMatchObject({ indexed_block: before.indexed_block, last_error: null });
    // Other blocks in their place are a reorganization.
    await base.client.increaseTime({ seconds: 60 });
    await base.client.mine({ blocks: 10 });
    expect(await read()).toEqual([word('c1')]);
  } finally {
    await base.stop();
  }
});

it('finds an event of a deep reorganization where none was known', async () => {
  const app = await deploy();
  const id = await add(app.address);
  const snapshot = await chain.client.snapshot();
  await chain.client.mine({ blocks: 300 });
  await index(app.address);
  await chain.client.revert({ id: snapshot });
  await chain.client.increaseTime({ seconds: 60 });
  await app.send('addComposeHash', [word('d7')]);
  await chain.client.mine({ blocks: 310 });
  expect((await index(app.address)).last_error).toBeNull();
  const values = (await addedValues(database.db, id, 'ComposeHashAdded', 10)).map(({ value }) => value);
  expect(values).toEqual([word('d7'), word('c1')]);
});

it('keeps its place while the RPC fails, and misses nothing afterward', async () => {
  const app = await deploy();
  const id = await add(app.address);
  const before = await index(app.address);
  await app.send('addComposeHash', [word('b1')]);
  for (const mode of ['status_500', 'no_events', 'nonsense'] as const) {
    gate.mode = mode;
    const row = await index(app.address);
    expect(row).toMatchObject({
      indexed_block: before.indexed_block,
      indexed_at: before.indexed_at,
      last_error: expect.stringContaining('Local development') as string,
    });
    expect(row.last_error).not.toContain('key-9f3a');
  }
  gate.mode = 'open';
  await app.send('addComposeHash', [word('b2')]);
  expect((await index(app.address)).last_error).toBeNull();
  const values = (await addedValues(database.db, id, 'ComposeHashAdded', 10)).map(({ value }) => value);
  expect(values).toEqual([word('b2'), word('b1'), word('c1')]);
});

it('stops at a limit when a contract has more events than are kept', async () => {
  const storm = await deployContract(chain.client, 'EventStorm');
  const id = await add(storm.address);
  for (const first of [0, 400]) await storm.send('emitAdded', [first, 400]);
  const row = await index(storm.address);
  expect(row.last_error).toBeNull();
  expect(row.full_at_block).toBe(Number(await chain.client.getBlockNumber({ cacheTime: 0 })));
  expect(await addedValues(database.db, id, 'ComposeHashAdded', 10_000)).toHaveLength(maxEvents);
});

it('keeps a text that PostgreSQL could not store, and the events after it', async () => {
  const hostile = await chain.deployKms();
  const id = await add(hostile.address);
  await hostile.send('setGatewayAppId', ['gate\u0000way\u202e']);
  await hostile.send('addOsImageHash', [word('a5')]);
  expect((await index(hostile.address)).last_error).toBeNull();
  const [newest, before] = await newestEvents(database.db, id, 2);
  expect(newest).toMatchObject({ kind: 'OsImageHashAdded', value: word('a5') });
  expect(before).toMatchObject({ kind: 'GatewayAppIdSet', value: 'gate\ufffdway\ufffd' });
});

it('reports that there is no contract yet', async () => {
  const address = `0x${'9'.repeat(40)}`;
  await add(address);
  expect(await index(address)).toMatchObject({
    start_block: null,
    last_error: 'There is no contract at this address.',
  });
});

it('reads every contract that is due in one run, and none twice', async () => {
  const app = await deploy();
  const nowhere = Array.from({ length: 49 }, (_, i) => `0x${(0xabc000 + i).toString(16).padStart(40, '0')}`);
  const addresses = [app.address.toLowerCase(), ...nowhere];
  for (const address of addresses)
    await database.db
      .insertInto('kms_contracts')
      .values({ kms_id: null, chain_id: 31337, address, label: address })
      .execute();
  await indexDueContracts(indexer());
  const rows = () =>
    database.db
      .selectFrom('contract_indexes')
      .select(['address', 'attempted_at', 'last_error', 'indexed_block'])
      .orderBy('address')
      .execute();
  const read = await rows();
  // Contracts that other tests added don't belong to a key service.
  expect(read.map(({ address }) => address)).toEqual([...addresses].sort());
  expect(read.filter(({ indexed_block }) => indexed_block !== null)).toMatchObject([
    { address: addresses[0] },
  ]);
  expect(read.filter(({ last_error }) => last_error !== null)).toHaveLength(49);
  // Nothing is due now.
  await indexDueContracts(indexer());
  expect(await rows()).toEqual(read);
});
