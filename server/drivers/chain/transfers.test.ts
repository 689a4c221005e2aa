import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { configureChains } from '../../../console/lib/kms/chains';
import { startRpcGate, startTestChain, type RpcGate, type TestChain } from '../../testing/chain';
import { deployContract, type DeployedContract } from '../../tools/chain/deploy';
import { ChainError } from './index';
import { createChainDriver } from './rpc';

/* How RPCs refuse requests for logs, and the consequences. */

let chain: TestChain;
let gate: RpcGate;
let token: DeployedContract;
let recipients: string[];
let from: number;
/** Requests for logs seen by the gate. */
let asked: { from: number; to: number; text: string }[];

beforeAll(async () => {
  chain = await startTestChain();
  gate = await startRpcGate(chain);
  token = await deployContract(chain.client, 'TestUsd');
  recipients = (await chain.client.getAddresses()).slice(1, 5).map((one) => one.toLowerCase());
  from = Number(await chain.client.getBlockNumber()) + 1;
  for (const [i, to] of recipients.entries()) {
    await token.send('mint', [to, 1_000_000 + i]);
    await chain.client.mine({ blocks: 5 });
  }
});
afterAll(async () => {
  await gate?.close();
  await chain?.stop();
});

type Answers = NonNullable<RpcGate['answers']>;
/** Scripts the gate's answers to requests for logs. */
function script(answer: (request: (typeof asked)[number]) => ReturnType<Answers>): void {
  asked = [];
  gate.answers = ({ method, ...request }) => {
    if (method !== 'eth_getLogs') return null;
    asked.push(request);
    return answer(request);
  };
}
beforeEach(() => script(() => null));

const read = () => {
  const driver = createChainDriver(configureChains({ local: { http: [gate.url], webSocket: [] } }));
  return driver.readTransfers({ chain_id: 31337, address: token.address }, { from, recipients, least: 0 });
};
/** Reads everything, chunk by chunk. */
async function readAll() {
  // With another RPC available, none gets the same request twice.
  const http = [gate.url, 'http://127.0.0.1:9'];
  const driver = createChainDriver(configureChains({ local: { http, webSocket: [] } }));
  const [found, skipped] = [[] as string[], [] as string[]];
  for (let at = from; ;) {
    const question = { from: at, recipients, least: 0 };
    const chunk = await driver.readTransfers({ chain_id: 31337, address: token.address }, question);
    found.push(...chunk.transfers.map(({ to }) => to));
    skipped.push(...chunk.skipped);
    if (chunk.to >= chunk.latest) return { found, skipped };
    at = chunk.to + 1;
  }
}
const failure = async () => {
  const error = await read().then(
    () => null,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(ChainError);
  return error as ChainError;
};

describe('an RPC that is busy', () => {
  it.each([
    ['HTTP 429', { status: 429 }],
    ['HTTP 429 with an error', { status: 429, error: { code: 429, message: 'Too Many Requests' } }],
    ['HTTP 503', { status: 503 }],
    [
      'Alchemy',
      {
        status: 200,
        error: { code: 429, message: 'Your app has exceeded its compute units per second capacity.' },
      },
    ],
    [
      'Infura',
      { status: 200, error: { code: -32005, message: 'daily request count exceeded, request rate limited' } },
    ],
    [
      'Infura, by project',
      { status: 200, error: { code: -32005, message: 'project ID request rate exceeded' } },
    ],
    [
      'QuickNode',
      {
        status: 200,
        error: { code: -32007, message: '50/second request limit reached - reduce calls per second' },
      },
    ],
    ['Base', { status: 200, error: { code: -32016, message: 'over rate limit' } }],
    [
      'Polygon',
      {
        status: 200,
        error: {
          code: -32090,
          message: 'Too many requests, reason: call rate limit exhausted, retry in 10s',
        },
      },
    ],
    ['another', { status: 200, error: { code: -32000, message: 'rate limit exceeded' } }],
  ])('is queried again later, not for less: %s', async (_, answer) => {
    script(() => answer);
    expect(await failure()).toMatchObject({ kind: 'unreachable' });
    // Once, and again after a moment.
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  it('is never mistaken for one that finds too much, even if its wording matches neither', async () => {
    for (const message of ['Bitte später noch einmal', 'internal error', 'query timeout exceeded']) {
      script(() => ({ status: 200, error: { code: -32000, message } }));
      await failure();
      // Refused for one address, and answered for others: only then is one skipped, and not for being slow.
      if (!message.includes('timeout')) continue;
      const [slow = ''] = recipients;
      script(({ text }) =>
        text.includes(slow.slice(2)) ? { status: 200, error: { code: -32000, message } } : null,
      );
      await failure();
    }
  });
});

describe('an RPC that finds too much', () => {
  it.each([
    [-32005, 'query returned more than 10000 results'],
    [-32005, 'limit exceeded'],
    [-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'],
    [-32602, 'range 1000000 exceeds limit of 10000'],
    [-32602, 'query exceeds max results 20000, retry with the range 1-100'],
    [-32614, 'eth_getLogs is limited to a 10,000 range'],
    [-32000, 'exceed maximum block range: 5000'],
    [-32000, 'query timeout exceeded'],
    [-32000, 'Log response size exceeded. Limit some parameters and try again.'],
    [-32701, 'Please specify an address in your request or, to remove restrictions, order a dedicated node'],
    [-32600, 'eth_getLogs and eth_newFilter are limited to a 10 blocks range'],
    [-32001, 'zu viele Ergebnisse'],
  ])('is queried for fewer blocks: %i %s', async (code, message) => {
    script((request) => (request.to > request.from + 3 ? { status: 200, error: { code, message } } : null));
    expect(await readAll()).toEqual({ found: recipients, skipped: [] });
  });

  it('is queried for fewer blocks if it says so by HTTP status', async () => {
    script((request) => (request.to > request.from + 3 ? { status: 413 } : null));
    expect(await readAll()).toEqual({ found: recipients, skipped: [] });
  });

  it('is queried for fewer addresses of a single block, and the one with too many transfers is skipped', async () => {
    const flooded = recipients[2] ?? '';
    script(({ text }) =>
      text.includes(flooded.slice(2)) ? { status: 200, error: { code: -32000, message: 'zu viel' } } : null,
    );
    const { found, skipped } = await readAll();
    expect(found).toEqual(recipients.filter((one) => one !== flooded));
    expect(new Set(skipped)).toEqual(new Set([flooded]));
  });
});
