import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import {
  createTestClient,
  http,
  publicActions,
  walletActions,
  type Account,
  type Chain,
  type PublicActions,
  type TestClient,
  type Transport,
  type WalletActions,
} from 'viem';
import { foundry } from 'viem/chains';

const require = createRequire(import.meta.url);
/** Part of util-linux. */
const SETPRIV = '/usr/bin/setpriv';

export type AnvilClient = TestClient<'anvil', Transport, Chain, Account | undefined> &
  PublicActions<Transport, Chain> &
  WalletActions<Chain>;

export interface Anvil {
  url: string;
  /** Its accounts are funded and unlocked. */
  client: AnvilClient;
  stop(): Promise<void>;
}

/**
 * Starts a separate chain: a real node with one block per transaction, and the funded accounts that every
 * development tool knows.
 * @param port 0 for a free one
 * @param chain_id to stand in for a public network
 * @param state file that stores the chain; in memory only if absent
 */
export async function startAnvil({
  port = 0,
  state,
  chain_id = foundry.id,
}: { port?: number; state?: string; chain_id?: number } = {}): Promise<Anvil> {
  const anvil = require.resolve(`@foundry-rs/anvil-${process.platform}-${ARCH[process.arch]}/bin/anvil`);
  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(chain_id),
    ...(state === undefined ? [] : ['--state', state]),
  ];
  // Exits with this process, even if it is killed.
  const command = existsSync(SETPRIV)
    ? [SETPRIV, '--pdeathsig', 'SIGTERM', anvil, ...args]
    : [anvil, ...args];
  const child = spawn(command[0] ?? anvil, command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2000)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`anvil exited with ${code}: ${said.trim()}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, found] = /^Listening on (\S+)/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  const url = `http://${address}`;
  return {
    url,
    client: createTestClient({
      chain: { ...foundry, id: chain_id },
      mode: 'anvil',
      transport: http(url),
      pollingInterval: 20,
    })
      .extend(publicActions)
      .extend(walletActions),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** anvil's names for its packages. */
const ARCH: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
