import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { ownServerCompose, type OwnServer } from '../ownServer';

/** Runs the programs as deployed: extracted from the Compose file. */

export const KEY = 'k'.repeat(40);

const children: ChildProcess[] = [];

export function stopPrograms(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export const commandsOf = (own: OwnServer) => {
  const file = parse(ownServerCompose(own)) as {
    services: Record<'bridge' | 'server', { command: string[] }>;
  };
  const plain = ({ command }: { command: string[] }) => command.map((one) => one.replaceAll('$$', () => '$'));
  return { bridge: plain(file.services.bridge), server: plain(file.services.server) };
};

export async function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
  until = /ready|listens/,
): Promise<void> {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part) => until.test(String(part)) && resolve());
    child.on('exit', () => reject(new Error('The program ended.')));
  });
}

/** Starts the bridge in front of a server at this port. @returns the URL of its MCP path */
export async function bridge(own: OwnServer, to: number, env: Record<string, string> = {}): Promise<URL> {
  const [, ...args] = commandsOf(own).bridge;
  const upstream = new URL(args.pop() ?? '');
  upstream.hostname = '127.0.0.1';
  upstream.port = String(to);
  const port = await freePort();
  await run(process.execPath, [...args, upstream.href], { MCP_KEY: KEY, PORT: String(port), ...env });
  return new URL(`http://127.0.0.1:${port}/mcp`);
}

export const post = (url: URL, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
export const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
