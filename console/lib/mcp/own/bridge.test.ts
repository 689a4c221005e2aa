import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NEW_OWN_SERVER, type OwnServer } from './ownServer';
import { bridge, commandsOf, freePort, KEY, LIST, post, run, stopPrograms } from './testing/deployed';

/** Runs the programs as deployed: extracted from the Compose file. The packages are already installed. */

const npm: OwnServer = { ...NEW_OWN_SERVER, name: '@example/notes', version: '1.4.2' };
const pypi: OwnServer = { ...NEW_OWN_SERVER, source: 'pypi', name: 'example-notes', version: '1.4.2' };

let folder: string;
const servers: Server[] = [];

/** An MCP server for the earlier protocol revisions, made with the official SDK. */
const sdk = (file: string) =>
  JSON.stringify(pathToFileURL(path.resolve('node_modules/@modelcontextprotocol/sdk/dist/esm', file)).href);
const NOTES = `#!${process.execPath}
import { McpServer } from ${sdk('server/mcp.js')};
import { StdioServerTransport } from ${sdk('server/stdio.js')};
let calls = 0;
const server = new McpServer({ name: 'notes', title: 'Notes', version: '1.4.2' }, { instructions: 'Search first.' });
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
server.registerTool('show', { description: 'Shows what it got.' }, () =>
  text({ args: process.argv.slice(2), calls: (calls += 1), key: process.env.MCP_KEY ?? null }));
server.registerTool('fail', { description: 'Fails.' }, () => ({ ...text('no'), isError: true }));
server.registerTool('crash', { description: 'Ends the process.' }, () => process.exit(1));
await server.connect(new StdioServerTransport());
`;

/** The same tool over stdio lines, for a Python without an SDK. */
const PYTHON_NOTES = `import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {"content": [{"type": "text", "text": json.dumps({"args": sys.argv[1:]})}]}
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "1"}}
    if message["method"] == "tools/list":
        result = {"tools": [{"name": "show", "inputSchema": {"type": "object"}}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'teehouse-own-'));
  const home = path.join(folder, 'npm/node_modules/@example/notes');
  const bin = path.join(folder, 'npm/node_modules/.bin');
  await mkdir(home, { recursive: true });
  await mkdir(bin);
  await writeFile(path.join(folder, 'npm/installed'), '@example/notes@1.4.2');
  await writeFile(
    path.join(home, 'package.json'),
    JSON.stringify({ version: '1.4.2', bin: { notes: './x.mjs' } }),
  );
  await writeFile(path.join(home, 'x.mjs'), NOTES);
  await chmod(path.join(home, 'x.mjs'), 0o755);
  await symlink(path.join(home, 'x.mjs'), path.join(bin, 'notes'));
});
afterEach(() => {
  stopPrograms();
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the server's own program. @returns its port */
async function serve(own: OwnServer): Promise<number> {
  const port = await freePort();
  const [command = '', ...args] = commandsOf(own).server;
  const root = path.join(folder, own.source);
  const here = args.map((one) =>
    one
      .replace('root = "/srv"', `root = ${JSON.stringify(root)}`)
      .replace('port=9000', `port=${port}`)
      .replace('listen(9000', `listen(${port}`),
  );
  await run(command === 'node' ? process.execPath : 'python3', here);
  return port;
}

/** An in-process server that answers every line. @returns its port */
async function readingLines(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (part) => {
      for (const line of String(part).split('\n').filter(Boolean)) {
        const { id } = JSON.parse(line) as { id?: number };
        if (id !== undefined) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const withKey = { requestInit: { headers: { Authorization: `Bearer ${KEY}` } } };
async function connect(url: URL, era: 'current' | 'earlier') {
  if (era === 'current') {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, withKey));
    return client;
  }
  const client = new EarlierClient({ name: 'test', version: '1' });
  // Its types predate exactOptionalPropertyTypes.
  await client.connect(new EarlierTransport(url, withKey) as Parameters<typeof client.connect>[0]);
  return client;
}
type AnyClient = Awaited<ReturnType<typeof connect>>;
async function show(client: AnyClient): Promise<{ args: string[]; calls: number; key: string | null }> {
  const { content } = (await client.callTool({ name: 'show', arguments: {} })) as {
    content: { text: string }[];
  };
  return JSON.parse(content[0]?.text ?? '') as { args: string[]; calls: number; key: string | null };
}

const HOSTILE = ['$(touch x)', '${MCP_KEY}', '; exit 1', '"\'`\\', '--eval', '-c', '--', 'é 茶 🍵', ''];

describe.each(['current', 'earlier'] as const)('a client of the %s protocol era', (era) => {
  it('uses a stdio server that only knows the earlier one', async () => {
    const own = { ...npm, args: HOSTILE };
    const client = await connect(await bridge(own, await serve(own)), era);
    expect(client.getServerVersion()).toMatchObject({ name: 'notes', version: '1.4.2' });
    expect(client.getInstructions()).toBe('Search first.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['show', 'fail', 'crash']);
    expect(await show(client)).toEqual({ args: HOSTILE, calls: 1, key: null });
    expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({ isError: true });
    await client.close();
  });

  it('reports that the server crashed, and can start again', async () => {
    const url = await bridge(npm, await serve(npm));
    const client = await connect(url, era);
    await expect(client.callTool({ name: 'crash', arguments: {} })).rejects.toThrow();
    await client.close().catch(() => undefined);
    expect(await show(await connect(url, era))).toMatchObject({ calls: 1 });
  });
});

it('gives each session its own process', async () => {
  const url = await bridge(npm, await serve(npm));
  const [one, other] = [await connect(url, 'earlier'), await connect(url, 'earlier')];
  expect([await show(one), await show(one), await show(other)].map(({ calls }) => calls)).toEqual([1, 2, 1]);
});

it('ends the least recently used session if there are too many', async () => {
  const url = await bridge(npm, await readingLines());
  const begin = async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const reply = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    return { 'mcp-session-id': reply.headers.get('mcp-session-id') ?? '' };
  };
  const first = await begin();
  const others = [];
  for (let i = 0; i < 16; i += 1) others.push(await begin());
  expect((await post(url, LIST, first)).status).toBe(404);
  for (const other of [others[0], others[15]]) expect((await post(url, LIST, other)).status).toBe(200);
  expect(
    (await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${KEY}`, ...others[0] } }))
      .status,
  ).toBe(204);
  expect((await post(url, LIST, others[0])).status).toBe(404);
});

/** An in-process server that tells each client this much once it has initialized, then answers. @returns its port */
async function telling(messages: number, chars: number): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (part) => {
      const text = 'x'.repeat(chars);
      for (const line of String(part).split('\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line) as { id?: number; method: string };
        if (method === 'tools/list')
          for (let n = 0; n < messages; n += 1)
            socket.write(
              `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { n, text } })}\n`,
            );
        if (id !== undefined) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it('ends the stream of a client that doesn’t read it, and keeps only the last messages', async () => {
  const url = await bridge(npm, await telling(1000, 64 * 1024));
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const begun = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const headers = {
    authorization: `Bearer ${KEY}`,
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
  };
  const unread = await fetch(url, { headers });
  expect((await post(url, LIST, headers)).status).toBe(200);
  await expect(unread.text()).rejects.toThrow();
  const again = await fetch(url, { headers });
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of again.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.includes('"n":999,') && text.endsWith('\n\n')) break;
  }
  expect(text.length).toBeLessThan(2 * 1024 * 1024);
});

it('passes on the name of a prompt that a header can’t hold as it is', async () => {
  const url = await bridge(npm, await readingLines());
  const get = (name: string, header: string) =>
    post(
      url,
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'prompts/get',
        params: { name, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'prompts/get', 'mcp-name': header },
    );
  expect((await get('größe', '=?base64?Z3LDtsOfZQ==?=')).status).toBe(200);
  expect((await get('größe', '=?base64?Z3I=?=')).status).toBe(400);
});

it('rejects requests without the key, and web pages that aren’t listed', async () => {
  const url = await bridge(npm, await freePort(), { MCP_ORIGINS: 'https://app.example.com' });
  for (const sent of ['', `Bearer ${KEY}x`, `Basic ${KEY}`]) {
    const reply = await post(url, LIST, { authorization: sent });
    expect(reply.status).toBe(401);
    expect(reply.headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource');
  }
  expect((await post(url, LIST, { origin: 'https://evil.example' })).status).toBe(403);
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://app.example.com' } });
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Session-Id');
  expect((await fetch(new URL('/usage', url))).status).toBe(401);
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource', url));
  expect(await metadata.json()).toMatchObject({ resource: url.href });
});

it('reports that the server is still being installed', async () => {
  const url = await bridge(npm, await freePort());
  expect((await fetch(new URL('/health', url))).status).toBe(503);
  const reply = await post(url, { ...LIST, method: 'initialize' });
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
});

it('counts requests, rejects too many and counts those, too', async () => {
  const url = await bridge(npm, await serve(npm), { MCP_REQUESTS_PER_MINUTE: '1000000' });
  const client = await connect(url, 'current');
  await show(client);
  await client.callTool({ name: 'fail', arguments: {} });
  const usage = async (of: URL) =>
    (await fetch(new URL('/usage', of), { headers: { authorization: `Bearer ${KEY}` } })).json();
  expect(await usage(url)).toMatchObject({
    requests_per_minute: 1_000_000,
    refused: 0,
    tools: [
      { name: 'show', calls: 1, failed: 0 },
      { name: 'fail', calls: 1, failed: 1 },
    ],
  });
  const strict = await bridge(npm, await freePort(), { MCP_REQUESTS_PER_MINUTE: '1' });
  // Three requests fall into at most two minutes.
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await post(strict, LIST)).status);
  expect(statuses).toContain(429);
  expect(await usage(strict)).toMatchObject({ requests: 3 });
});

it('rejects what neither era supports', async () => {
  const url = await bridge(npm, await freePort());
  const current = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  expect((await post(url, [LIST])).status).toBe(400);
  expect((await post(url, LIST)).status).toBe(400);
  expect(await (await post(url, LIST, { 'mcp-protocol-version': '1999-01-01' })).json()).toMatchObject({
    error: { code: -32_022, data: { requested: '1999-01-01' } },
  });
  expect(await (await post(url, LIST, current)).json()).toMatchObject({ error: { code: -32_020 } });
  expect((await fetch(url, { headers: { authorization: `Bearer ${KEY}`, ...current } })).status).toBe(405);
  expect((await post(url, 'x'.repeat(3 * 1024 * 1024))).status).toBe(413);
});

it.each(['nope', 'constructor'])('rejects the unknown method %s', async (method) => {
  const url = await bridge(npm, await readingLines());
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  const params = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
  const reply = await post(url, { ...LIST, method, params }, headers);
  expect([reply.status, await reply.json()]).toMatchObject([404, { error: { code: -32_601 } }]);
});

it('doesn’t start without a key', () => {
  const [, ...args] = commandsOf(npm).bridge;
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { MCP_KEY: 'short' },
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('Set MCP_KEY');
});

it('lists the programs to choose from if the package lacks the requested one', () => {
  const root = JSON.stringify(path.join(folder, 'npm'));
  const [, ...args] = commandsOf({ ...npm, program: 'other' }).server;
  const { status, stderr } = spawnSync(
    process.execPath,
    args.map((one) => one.replace('root = "/srv"', `root = ${root}`)),
    { encoding: 'utf8' },
  );
  expect(status).not.toBe(0);
  expect(stderr).toContain('Choose a program of @example/notes@1.4.2: notes');
});

const python = spawnSync('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
  encoding: 'utf8',
});

it.skipIf(python.status !== 0)('runs a package from PyPI the same way', async () => {
  const venv = path.join(folder, 'pypi/venv');
  const packages = path.join(venv, `lib/python${python.stdout.trim()}/site-packages`);
  const metadata = path.join(packages, 'example_notes-1.4.2.dist-info');
  await mkdir(metadata, { recursive: true });
  await mkdir(path.join(venv, 'bin'));
  await writeFile(path.join(folder, 'pypi/installed'), 'example-notes==1.4.2');
  await writeFile(
    path.join(metadata, 'METADATA'),
    'Metadata-Version: 2.1\nName: example-notes\nVersion: 1.4.2\n',
  );
  await writeFile(path.join(metadata, 'entry_points.txt'), '[console_scripts]\nexample_notes = x:main\n');
  await writeFile(path.join(venv, 'bin/python'), '');
  await writeFile(path.join(venv, 'bin/example_notes'), `#!/usr/bin/env python3\n${PYTHON_NOTES}`);
  await chmod(path.join(venv, 'bin/example_notes'), 0o755);

  const own = { ...pypi, args: HOSTILE };
  const url = await bridge(own, await serve(own));
  for (const era of ['current', 'earlier'] as const)
    expect(await show(await connect(url, era))).toEqual({ args: HOSTILE });
});
