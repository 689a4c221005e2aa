import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { toEventSelector, toHex } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configureChains } from '../../../console/lib/kms/chains';
import { findIndex } from '../../db/kms/contractIndex';
import type { ContractIndexRow } from '../../db/kms/contractIndexTables';
import { createChainDriver } from '../../drivers/chain/rpc';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { indexContract } from './indexContracts';

const COUNT = 10_000;
const PER_BLOCK = 10;
const PER_TRANSACTION = 5;
const DEPLOYED = 90;
const LATEST = 4_000;
/** Limits of public RPCs: events per answer, and concurrent requests. */
const MAX_LOGS = 2_000;
const MAX_OPEN = 2;

const word = (n: number) => toHex(n, { size: 32 });
const blockOf = (event: number) => DEPLOYED + 10 + 3 * Math.floor(event / PER_BLOCK);
const blockHash = (number: number) => word(1_000_000 + number);
const transactionOf = (event: number) => Math.floor(event / PER_TRANSACTION);
const txHash = (event: number) => word(2_000_000 + transactionOf(event));
const senderOf = (transaction: number) => toHex(1 + transaction, { size: 20 });
const TOPIC = toEventSelector('ComposeHashAdded(bytes32)');

interface Request {
  id: number;
  method: string;
  params?: unknown[];
}

/**
 * Starts an in-memory chain on which a contract emitted many events. A real node would need minutes for as many
 * transactions.
 */
async function startManyEvents() {
  let open = 0;
  let refused = 0;
  const blockAt = (number: number) =>
    number > LATEST
      ? null
      : {
          number: toHex(number),
          hash: blockHash(number),
          timestamp: toHex(1_700_000_000 + number),
          transactions: [],
        };
  const resultOf = ({ method, params = [] }: Request): unknown => {
    const [first, second] = params;
    if (method === 'eth_chainId') return '0x7a69';
    if (method === 'eth_getCode') return Number(second) >= DEPLOYED ? '0x60' : '0x';
    if (method === 'eth_getBlockByNumber') return blockAt(first === 'latest' ? LATEST : Number(first));
    if (method === 'eth_getBlockByHash') return blockAt(Number(BigInt(first as string)) - 1_000_000);
    if (method === 'eth_getTransactionByHash')
      return { hash: first, from: senderOf(Number(BigInt(first as string)) - 2_000_000), type: '0x2' };
    throw new Error(`${method} was not expected`);
  };
  const logsIn = ({ address, fromBlock, toBlock }: { address: string; fromBlock: string; toBlock: string }) =>
    Array.from({ length: COUNT }, (_, event) => event)
      .filter((event) => blockOf(event) >= Number(fromBlock) && blockOf(event) <= Number(toBlock))
      .map((event) => ({
        address,
        topics: [TOPIC],
        data: word(event),
        blockNumber: toHex(blockOf(event)),
        blockHash: blockHash(blockOf(event)),
        transactionHash: txHash(event),
        transactionIndex: '0x0',
        logIndex: toHex(event % PER_BLOCK),
        removed: false,
      }));
  const answer = (request: Request) => {
    const reply = { jsonrpc: '2.0', id: request.id };
    if (request.method !== 'eth_getLogs') return { ...reply, result: resultOf(request) };
    const logs = logsIn(request.params?.[0] as Parameters<typeof logsIn>[0]);
    return logs.length > MAX_LOGS
      ? { ...reply, error: { code: -32005, message: `query returned more than ${MAX_LOGS} results` } }
      : { ...reply, result: logs };
  };
  const server = createServer((request, response) => {
    open += 1;
    response.on('close', () => (open -= 1));
    if (open > MAX_OPEN) {
      refused += 1;
      return void response.writeHead(429).end();
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const asked = JSON.parse(Buffer.concat(chunks).toString()) as Request | Request[];
      const body = JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked));
      // Requests sent together are open together.
      void wait(5).then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let database: TestDatabase;
let rpc: Awaited<ReturnType<typeof startManyEvents>>;
beforeAll(async () => {
  database = await createTestDatabase();
  rpc = await startManyEvents();
});
afterAll(async () => {
  await rpc?.close();
  await database?.drop();
});

async function indexAll(address: string, options: { maxEvents?: number } = {}): Promise<ContractIndexRow> {
  await database.db.insertInto('contract_indexes').values({ chain_id: 31337, address }).execute();
  const rowOf = async () => (await findIndex(database.db, 31337, address)) as ContractIndexRow;
  const indexer = {
    db: database.db,
    chain: createChainDriver(configureChains({ local: { http: [rpc.url], webSocket: [] } })),
    log: pino({ level: 'silent' }),
    // A time limit for a busy machine.
    turnMs: 300_000,
    ...options,
  };
  for (let turn = 0; turn < 5; turn++) {
    await indexContract(indexer, await rowOf());
    const { last_error, indexed_block, full_at_block } = await rowOf();
    expect(last_error).toBeNull();
    if (indexed_block === LATEST || full_at_block !== null) break;
  }
  return rowOf();
}

const eventsOf = ({ id }: ContractIndexRow) =>
  database.db
    .selectFrom('contract_events')
    .select(['value', 'sender', 'tx_hash', 'block_number', 'block_hash'])
    .where('contract_id', '=', id)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute();
const event = (i: number) => ({
  value: word(i),
  sender: senderOf(transactionOf(i)),
  tx_hash: txHash(i),
  block_number: blockOf(i),
  block_hash: blockHash(blockOf(i)),
});

it('indexes 10,000 events through an RPC that answers few requests at a time', async () => {
  const row = await indexAll(`0x${'a'.repeat(40)}`);
  expect(row).toMatchObject({ start_block: DEPLOYED, indexed_block: LATEST, full_at_block: null });
  expect(await eventsOf(row)).toEqual(Array.from({ length: COUNT }, (_, i) => event(i)));
  expect(rpc.refused()).toBe(0);
}, 600_000);

it('keeps the first events up to the limit, and reports where it stopped', async () => {
  const row = await indexAll(`0x${'b'.repeat(40)}`, { maxEvents: 1_505 });
  expect(row.full_at_block).toBe(blockOf(1_505));
  expect(await eventsOf(row)).toEqual(Array.from({ length: 1_505 }, (_, i) => event(i)));
}, 600_000);
