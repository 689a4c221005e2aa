import { HDKey } from '@scure/bip32';
import { pino } from 'pino';
import type { Address, TransactionReceipt } from 'viem';
import { expect } from 'vitest';
import { chainNamed, configureChains, type ChainDefinition } from '../../../../console/lib/kms/chains';
import type { Billing, UsdcPayments } from '../../../../generated/api/types.gen';
import { checkBooks } from '../../../db/billing/checkBooks';
import { createChainDriver } from '../../../drivers/chain/rpc';
import { startRpcGate, startTestChain, type RpcGate, type TestChain } from '../../../testing/chain';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { deployContract, type DeployedContract } from '../../../tools/chain/deploy';
import { watchUsdc } from '../usdcDeposits';

export const DOLLAR = 1_000_000n;
export const CONFIRMATIONS = 3;

const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/1'/0").publicExtendedKey;

export interface UsdcTeam {
  client: TestClient;
  /** Receives USDC. */
  address: Address;
  send(amount: bigint): Promise<TransactionReceipt>;
  shown(): Promise<UsdcPayments>;
  prepaid(): Promise<string>;
}

export interface UsdcWorld {
  server: TestServer;
  chain: TestChain;
  /** The RPC that deposits are read through. */
  gate: RpcGate;
  token: DeployedContract;
  /** Holds a million dollars. */
  payer: Address;
  addTeam(): Promise<UsdcTeam>;
  mine(blocks: number): Promise<void>;
  /** Reads deposits as the worker does. @param urls of other RPCs */
  read(urls?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server whose teams pay in USDC on a local chain. */
export async function startUsdcWorld(): Promise<UsdcWorld> {
  const chain = await startTestChain();
  const gate = await startRpcGate(chain);
  const token = await deployContract(chain.client, 'TestUsd');
  const [payer] = (await chain.client.getAddresses()) as [Address];
  const server = await startTestServer({
    env: {
      TEEHOUSE_ROLE: 'web',
      USDC_XPUB: XPUB,
      USDC_NETWORKS: `local=${token.address}`,
      LOCAL_CHAIN_RPC_URL: gate.url,
    },
  });
  await server.register();
  const network = { confirmations: CONFIRMATIONS, chain: chainNamed('local') as ChainDefinition };
  const world: UsdcWorld = {
    server,
    chain,
    gate,
    token,
    payer,
    async addTeam() {
      const client = await server.register();
      const { address } = (await client.call('createUsdcAddress')).body as { address: Address };
      return {
        client,
        address,
        send: (amount) => token.send('transfer', [address, amount]),
        shown: async () => (await client.call('getUsdcPayments')).body as UsdcPayments,
        prepaid: async () => ((await client.call('getBilling')).body as Billing).prepaid,
      };
    },
    mine: (blocks) => chain.client.mine({ blocks }),
    read: (urls = [gate.url]) =>
      watchUsdc({
        db: server.services.db,
        chain: createChainDriver(configureChains({ local: { http: [...urls], webSocket: [] } })),
        networks: [{ ...network, token: token.address.toLowerCase() }],
        log: pino({ level: 'silent' }),
      }),
    async stop() {
      expect(await checkBooks(server.services.db)).toEqual([]);
      await server.stop();
      await gate.close();
      await chain.stop();
    },
  };
  await world.read();
  await token.send('mint', [payer, 1_000_000n * DOLLAR]);
  return world;
}

/** An RPC whose block has more transfers to an address than it returns. */
export const floods =
  (address: string, block: number): NonNullable<RpcGate['answers']> =>
  ({ method, from, to, text }) =>
    method === 'eth_getLogs' && from <= block && to >= block && text.includes(address.slice(2).toLowerCase())
      ? { status: 200, error: { code: -32602, message: 'Log response size exceeded.' } }
      : null;
