import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAnvil, type Anvil } from '../tools/chain/anvil';
import { deployKms, type DeployedKms, type KmsVersion } from '../tools/chain/deploy';

export type TestContract = DeployedKms;

export interface TestChain extends Anvil {
  deployKms(version?: KmsVersion): Promise<TestContract>;
}

/** Starts a separate chain (31337) on a free port: a real node, in memory, with one block per transaction. */
export async function startTestChain(): Promise<TestChain> {
  const anvil = await startAnvil();
  return { ...anvil, deployKms: (version) => deployKms(anvil.client, version ? { version } : {}) };
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
