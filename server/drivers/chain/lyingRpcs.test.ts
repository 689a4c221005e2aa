import { encodeAbiParameters } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configureChains } from '../../../console/lib/kms/chains';
import {
  startRpcGate,
  startTestChain,
  type RpcGate,
  type TestChain,
  type TestContract,
} from '../../testing/chain';
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
const answerCalls = (selector: string, answer: Answer) =>
  (gate.answers = ({ method, text }) => (method === 'eth_call' && text.includes(selector) ? answer : null));

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
