import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { NEW_OWN_SERVER, type OwnServer } from './ownServer';
import { bridge, commandsOf, freePort, KEY, LIST, post, stopPrograms } from './testing/deployed';
import { MAX_KEYS, refusedLists, SECRET_PART } from './testing/keyLists';

const npm: OwnServer = { ...NEW_OWN_SERVER, name: '@example/notes', version: '1.4.2' };
const ALICE = 'alice-0123456789abcdef';
const CI = 'ci-0123456789/+=~._-';
const MCP_KEYS = `alice:${ALICE},\n ci:${CI}`;

const servers: Server[] = [];
afterEach(() => {
  stopPrograms();
  for (const server of servers.splice(0)) server.close();
});

/** An in-process stdio server with the tool `show`. @returns its port */
async function upstream(): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (part) => {
      for (const line of String(part).split('\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line) as { id?: number; method?: string };
        const result =
          method === 'initialize'
            ? {
                protocolVersion: '2025-11-25',
                capabilities: { tools: {} },
                serverInfo: { name: 'notes', version: '1' },
              }
            : method === 'tools/list'
              ? { tools: [{ name: 'show', inputSchema: { type: 'object' } }] }
              : { content: [{ type: 'text', text: 'shown' }] };
        if (id !== undefined) socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
async function connect(url: URL, key: string, era: 'current' | 'earlier') {
  const sent = { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
  if (era === 'current') {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, sent));
    return client;
  }
  const client = new EarlierClient({ name: 'test', version: '1' });
  // Its types predate exactOptionalPropertyTypes.
  await client.connect(new EarlierTransport(url, sent) as Parameters<typeof client.connect>[0]);
  return client;
}

interface Use {
  name: string;
  requests: number;
  refused: number;
  last_used: string | null;
  days: { date: string; requests: number; refused: number }[];
  tools: { name: string; calls: number; failed: number }[];
}
async function usage(url: URL, key: string) {
  const reply = await fetch(new URL('/usage', url), { headers: bearer(key) });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Use & { requests_per_minute: number; since: string; keys: Use[] };
}

describe.each(['current', 'earlier'] as const)('clients of the %s protocol era', (era) => {
  it('are distinguished by their keys, and only the owner’s sees everyone’s usage', async () => {
    const url = await bridge(npm, await upstream(), { MCP_KEYS });
    const [alice, ci] = [await connect(url, ALICE, era), await connect(url, CI, era)];
    for (const client of [alice, alice, ci]) await client.callTool({ name: 'show', arguments: {} });
    const all = await usage(url, KEY);
    expect(all).toMatchObject({ name: 'default', requests: 0, last_used: null });
    expect(all.keys).toMatchObject([
      { name: 'default', requests: 0, last_used: null, days: [], tools: [] },
      { name: 'alice', refused: 0, tools: [{ name: 'show', calls: 2, failed: 0 }] },
      { name: 'ci', refused: 0, tools: [{ name: 'show', calls: 1, failed: 0 }] },
    ]);
    for (const { requests, days, last_used } of all.keys.slice(1)) {
      expect(days.reduce((sum, day) => sum + day.requests, 0)).toBe(requests);
      expect(Date.parse(last_used ?? '')).toBeGreaterThanOrEqual(Date.parse(all.since));
    }
    const own = await usage(url, ALICE);
    expect(own).toMatchObject({ name: 'alice', tools: [{ name: 'show', calls: 2 }] });
    expect(own.keys.map(({ name }) => name)).toEqual(['alice']);
    for (const secret of [KEY, ALICE, CI]) expect(JSON.stringify([all, own])).not.toContain(secret);
  });
});

it('have a separate limit for each key', async () => {
  const url = await bridge(npm, await upstream(), { MCP_KEYS, MCP_REQUESTS_PER_MINUTE: '2' });
  let status = 0;
  // The minute may end during the loop.
  for (let sent = 0; status !== 429 && sent < 20; sent += 1)
    ({ status } = await post(url, LIST, bearer(ALICE)));
  expect(status).toBe(429);
  expect((await post(url, LIST, bearer(CI))).status).not.toBe(429);
  expect((await post(url, LIST)).status).not.toBe(429);
  const { keys } = await usage(url, KEY);
  expect(keys.map(({ name, refused }) => [name, refused])).toEqual([
    ['default', 0],
    ['alice', 1],
    ['ci', 0],
  ]);
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const begin = async (url: URL, key: string) => ({
  ...bearer(key),
  'mcp-session-id': (await post(url, INITIALIZE, bearer(key))).headers.get('mcp-session-id') ?? '',
});

it('can’t use or end sessions of other keys', async () => {
  const url = await bridge(npm, await upstream(), { MCP_KEYS });
  const alice = await begin(url, ALICE);
  const stolen = { ...alice, ...bearer(CI) };
  expect((await post(url, LIST, stolen)).status).toBe(404);
  expect((await fetch(url, { method: 'DELETE', headers: stolen })).status).toBe(404);
  const many = [];
  for (let i = 0; i < 20; i += 1) many.push(await begin(url, CI));
  expect((await post(url, LIST, alice)).status).toBe(200);
  expect((await post(url, LIST, many[0])).status).toBe(404);
  expect((await post(url, LIST, many[19])).status).toBe(200);
});

it('give up their own oldest session for a new one, once they have as many as others', async () => {
  const url = await bridge(npm, await upstream(), { MCP_KEYS });
  const alice = [];
  const ci = [];
  for (let i = 0; i < 8; i += 1) alice.push(await begin(url, ALICE));
  for (let i = 0; i < 9; i += 1) ci.push(await begin(url, CI));
  for (const one of alice) expect((await post(url, LIST, one)).status).toBe(200);
  expect((await post(url, LIST, ci[0])).status).toBe(404);
  expect((await post(url, LIST, ci[8])).status).toBe(200);
});

it('have their calls counted by key at an HTTP server, which receives no key', async () => {
  const seen: unknown[] = [];
  const server = createHttpServer((req, res) => {
    seen.push(req.headers);
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":{}}');
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = await bridge({ ...npm, transport: 'http' }, (server.address() as AddressInfo).port, {
    MCP_KEYS,
  });
  // Clients choose tool names, so at most 100 are kept.
  for (let i = 0; i < 101; i += 1) {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: `tool-${i}` } };
    await (await post(url, call, bearer(CI))).text();
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'constructor' } };
  await (await post(url, call, bearer(ALICE))).text();
  await expect.poll(async () => (await usage(url, ALICE)).tools).toMatchObject([{ name: 'constructor' }]);
  const { tools } = await usage(url, CI);
  expect(tools).toHaveLength(101);
  expect(tools.at(-1)).toMatchObject({ name: 'other', calls: 1 });
  for (const secret of [ALICE, CI]) expect(JSON.stringify(seen)).not.toContain(secret);
});

it('are admitted only with the exact key', async () => {
  const url = await bridge(npm, await upstream(), { MCP_KEYS: `,\n${MCP_KEYS} , ` });
  for (const key of [KEY, ALICE, CI]) expect((await begin(url, key))['mcp-session-id'], key).not.toBe('');
  for (const key of [
    `alice:${ALICE}`,
    MCP_KEYS.replace('\n', ''),
    'alice',
    `${KEY},${ALICE}`,
    ALICE.slice(1),
  ])
    expect((await post(url, INITIALIZE, bearer(key))).status, key).toBe(401);
});

it('have one key without a list, and at most 32', async () => {
  const one = await bridge(npm, await freePort(), { MCP_KEYS: '' });
  expect((await usage(one, KEY)).keys.map(({ name }) => name)).toEqual(['default']);
  const many = await bridge(npm, await freePort(), { MCP_KEYS: MAX_KEYS });
  expect((await usage(many, KEY)).keys).toHaveLength(32);
});

it.each(refusedLists(KEY))('rejects a list with %s, and prints no key', (_what, value, message) => {
  const [, ...args] = commandsOf(npm).bridge;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { MCP_KEY: KEY, MCP_KEYS: value },
    encoding: 'utf8',
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain(message);
  expect(stdout + stderr).not.toContain(SECRET_PART);
  expect(stdout + stderr).not.toContain(KEY);
});
