import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encodeAbiParameters } from 'viem';
import { base } from 'viem/chains';
import { startAnvil, type Anvil } from '../tools/chain/anvil';
import { deployContract, deployKms, type DeployedKms, type KmsVersion } from '../tools/chain/deploy';

export type TestContract = DeployedKms;

export interface TestChain extends Anvil {
  deployKms(version?: KmsVersion): Promise<TestContract>;
  /** Puts Multicall3 where public networks have it, as clients expect. */
  addMulticall(): Promise<void>;
}

/** Starts a separate chain on a free port: a real node, in memory, with one block per transaction. */
export async function startTestChain(chain_id?: number): Promise<TestChain> {
  const anvil = await startAnvil(chain_id === undefined ? {} : { chain_id });
  const { client } = anvil;
  return {
    ...anvil,
    deployKms: (version) => deployKms(client, version ? { version } : {}),
    async addMulticall() {
      const { address } = await deployContract(client, 'Multicall');
      const bytecode = await client.getCode({ address });
      if (bytecode === undefined) throw new Error('Multicall was not deployed');
      await client.setCode({ address: base.contracts.multicall3.address, bytecode });
    },
  };
}

interface RpcRequest {
  method: string;
  /** Block range of an `eth_getLogs` request. */
  from: number;
  to: number;
  /** The request's parameters, in lower case. */
  text: string;
}

interface RpcFailure {
  code: number;
  message: string;
}

export interface RpcGate {
  url: string;
  /**
   * `open`: forwards to the chain; `silent`: accepts connections and never responds; `stalls`: starts a response and
   * never ends it; `down`: closes connections; `other_chain`: serves chain 1; `no_receipts`: fails for transactions;
   * `lies`: reports every transaction as successful and every app as allowed; `behind`: knows no transaction;
   * `no_logs`: finds no events; otherwise the response to send.
   */
  mode:
    | 'open'
    | 'silent'
    | 'stalls'
    | 'down'
    | 'other_chain'
    | 'no_events'
    | 'no_receipts'
    | 'status_500'
    | 'nonsense'
    | 'lies'
    | 'behind'
    | 'no_logs';
  /** Answers a request in place of the chain; null to forward it. */
  answers: ((request: RpcRequest) => { status: number; error?: RpcFailure; result?: object } | null) | null;
  close(): Promise<void>;
}

const IS_APP_ALLOWED = '0x1e079198';
const ALLOWED = encodeAbiParameters([{ type: 'bool' }, { type: 'string' }], [true, '']);

/** An RPC proxy in front of a chain that can fail like public ones. */
export async function startRpcGate(chain: Pick<TestChain, 'url'>): Promise<RpcGate> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (gate.mode === 'down') return void request.socket.destroy();
      if (gate.mode === 'stalls')
        return void response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      answer(Buffer.concat(chunks).toString()).then(
        (reply) => {
          if (reply) response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
        },
        () => request.socket.destroy(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate: RpcGate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-9f3a`,
    mode: 'open',
    answers: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function answer(body: string): Promise<{ status: number; body: string } | null> {
    if (gate.mode === 'silent') return null;
    if (gate.mode === 'status_500') return { status: 500, body: '{}' };
    if (gate.mode === 'nonsense') return { status: 200, body: '<html>not found</html>' };
    let failed = 0;
    const forward = async (one: unknown) => {
      const { id, method, params } = one as {
        id: number;
        method: string;
        params?: [{ data?: string; fromBlock?: string; toBlock?: string }?];
      };
      const scripted = gate.answers?.({
        method,
        from: Number(params?.[0]?.fromBlock),
        to: Number(params?.[0]?.toBlock),
        text: JSON.stringify(params ?? []).toLowerCase(),
      });
      if (scripted) {
        if (scripted.status !== 200) failed = scripted.status;
        return { jsonrpc: '2.0', id, error: scripted.error, result: scripted.result };
      }
      if (gate.mode === 'no_logs' && method === 'eth_getLogs') return { jsonrpc: '2.0', id, result: [] };
      if (gate.mode === 'no_events' && method === 'eth_getLogs')
        return { jsonrpc: '2.0', id, error: { code: -32005, message: 'block range is too wide' } };
      if (gate.mode === 'no_receipts' && method === 'eth_getTransactionReceipt')
        return { jsonrpc: '2.0', id, error: { code: -32603, message: 'the index is down' } };
      if (gate.mode === 'other_chain' && method === 'eth_chainId')
        return { jsonrpc: '2.0', id, result: '0x1' };
      if (gate.mode === 'lies' && method === 'eth_call' && params?.[0]?.data?.startsWith(IS_APP_ALLOWED))
        return { jsonrpc: '2.0', id, result: ALLOWED };
      const reply = await fetch(chain.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(one),
      });
      const said = (await reply.json()) as { result?: object | null };
      if (gate.mode === 'behind' && method === 'eth_getTransactionByHash') return { ...said, result: null };
      if (method !== 'eth_getTransactionReceipt' || !said.result) return said;
      if (gate.mode === 'lies') return { ...said, result: { ...said.result, status: '0x1' } };
      return gate.mode === 'behind' ? { ...said, result: null } : said;
    };
    const asked = JSON.parse(body) as unknown;
    const replies = Array.isArray(asked) ? await Promise.all(asked.map(forward)) : await forward(asked);
    // Like most RPCs, with one error for a whole batch.
    if (failed > 0) return { status: failed, body: JSON.stringify([replies].flat()[0]) };
    return { status: 200, body: JSON.stringify(replies) };
  }
  return gate;
}
