import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createTestClient, http, publicActions, walletActions, type Abi, type Address, type Hex } from 'viem';
import { foundry } from 'viem/chains';
import { ROOT } from '../root';

const require = createRequire(import.meta.url);

export interface TestContract {
  address: Address;
  /** Sends a transaction and waits until it is in a block. */
  send(functionName: string, args: readonly unknown[]): Promise<void>;
}

export interface TestChain {
  url: string;
  deployKms(): Promise<TestContract>;
  stop(): Promise<void>;
}

/** Starts a separate chain (31337) on a free port: a real node, in memory, with one block per transaction. */
export async function startTestChain(): Promise<TestChain> {
  const anvil = require.resolve(`@foundry-rs/anvil-${process.platform}-${ARCH[process.arch]}/bin/anvil`);
  const child = spawn(anvil, ['--host', '127.0.0.1', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`anvil exited with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, found] = /^Listening on (\S+)/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  const url = `http://${address}`;
  const client = createTestClient({ chain: foundry, mode: 'anvil', transport: http(url) })
    .extend(publicActions)
    .extend(walletActions);
  const [account] = await client.getAddresses();
  if (!account) throw new Error('anvil has no accounts');
  return {
    url,
    async deployKms() {
      const { abi, bytecode } = compiledKms();
      const hash = await client.deployContract({ abi, bytecode, account });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
      if (!contractAddress) throw new Error('the contract was not deployed');
      return {
        address: contractAddress,
        async send(functionName, args) {
          const sent = await client.writeContract({
            abi,
            address: contractAddress,
            account,
            functionName,
            args,
          });
          await client.waitForTransactionReceipt({ hash: sent, pollingInterval: 20 });
        },
      };
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** anvil's names for its packages. */
const ARCH: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

let compiled: { abi: Abi; bytecode: Hex } | undefined;

/** TestKms.sol, compiled by the Solidity compiler; takes half a second the first time. */
function compiledKms(): { abi: Abi; bytecode: Hex } {
  if (compiled) return compiled;
  const solc = require('solc') as { compile(input: string): string };
  const content = readFileSync(join(ROOT, 'server/testing/TestKms.sol'), 'utf8');
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'TestKms.sol': { content } },
        settings: {
          evmVersion: 'paris',
          outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
        },
      }),
    ),
  ) as {
    errors?: { severity: string; formattedMessage: string }[];
    contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>;
  };
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  const made = output.contracts?.['TestKms.sol']?.TestKms;
  if (failed || !made) throw new Error(failed?.formattedMessage ?? 'the contract did not compile');
  compiled = { abi: made.abi, bytecode: `0x${made.evm.bytecode.object}` };
  return compiled;
}

export interface RpcGate {
  url: string;
  /**
   * `open`: forwards to the chain; `silent`: accepts connections and never responds; otherwise the response to
   * send.
   */
  mode: 'open' | 'silent' | 'no_events' | 'status_500' | 'nonsense';
  close(): Promise<void>;
}

/** An RPC in front of a chain that can fail as public ones do. */
export async function startRpcGate(chain: Pick<TestChain, 'url'>): Promise<RpcGate> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(Buffer.concat(chunks).toString()).then((reply) => {
        if (reply) response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate: RpcGate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-9f3a`,
    mode: 'open',
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function answer(body: string): Promise<{ status: number; body: string } | null> {
    if (gate.mode === 'silent') return null;
    if (gate.mode === 'status_500') return { status: 500, body: '{}' };
    if (gate.mode === 'nonsense') return { status: 200, body: '<html>not found</html>' };
    const forward = async (one: unknown) => {
      const { id, method } = one as { id: number; method: string };
      if (gate.mode === 'no_events' && method === 'eth_getLogs')
        return { jsonrpc: '2.0', id, error: { code: -32005, message: 'block range is too wide' } };
      const reply = await fetch(chain.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(one),
      });
      return (await reply.json()) as unknown;
    };
    const asked = JSON.parse(body) as unknown;
    const replies = Array.isArray(asked) ? await Promise.all(asked.map(forward)) : await forward(asked);
    return { status: 200, body: JSON.stringify(replies) };
  }
  return gate;
}
