import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import type {
  McpServerDescription,
  McpToolResult,
  McpUsage,
  Problem,
} from '../../../generated/api/types.gen';
import { answerMcp } from '../../mcp/protocol';
import { identityOf, insertApp, insertCvm, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

const KEY = 'violet-kettle-under-the-stairs';
const COMPOSE = 'services:\n  server:\n    image: tools:1\n    ports: ["8080:8080", "127.0.0.1:9000:9000"]\n';

let server: TestServer;
let owner: TestClient;
let cvm_id: string;
/** Handler for requests to the gateway. */
let answer: (req: IncomingMessage, res: ServerResponse) => unknown;
const asked: { method: string; path: string; host: string }[] = [];
const gateway = createServer((req, res) => {
  asked.push({ method: req.method ?? '', path: req.url ?? '', host: req.headers.host ?? '' });
  answer(req, res);
});
let port: number;
let instance_id: string;

/** A server built with the official package: it has sessions and replies with event streams. */
function officialServer() {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (req: IncomingMessage, res: ServerResponse) => {
    if (req.headers.authorization !== `Bearer ${KEY}`) return void res.writeHead(401).end();
    const session = sessions.get(String(req.headers['mcp-session-id']));
    if (session) return session.handleRequest(req, res);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const mcp = new McpServer(
      { name: 'shop', title: 'Shop', version: '2.1.0' },
      { instructions: 'Be brief.' },
    );
    mcp.registerTool(
      'add',
      {
        title: 'Add',
        description: 'Adds two numbers.',
        inputSchema: { a: z.number(), b: z.number() },
        outputSchema: { sum: z.number() },
        annotations: { readOnlyHint: true },
      },
      ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
    );
    mcp.registerTool('draw', { description: 'Draws.' }, () => ({
      content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    }));
    // Contradictory annotations.
    mcp.registerTool('fail', { annotations: { readOnlyHint: true, destructiveHint: true } }, () => {
      throw new Error('The shop is closed.');
    });
    mcp.registerResource('terms', 'shop://terms', { description: 'Terms of sale' }, () => ({ contents: [] }));
    mcp.registerPrompt('greet', { argsSchema: { name: z.string() } }, () => ({ messages: [] }));
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
    await transport.handleRequest(req, res);
    return undefined;
  };
}

/** Supports only the stateless revision. */
async function currentServer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  const header = (name: string) => req.headers[name] as string | undefined;
  if (header('mcp-protocol-version') !== '2026-07-28')
    return void res.writeHead(400).end('{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}');
  const { status, body } = await answerMcp(
    {
      name: 'clock',
      title: 'Clock',
      version: '1.0.0',
      instructions: 'Tells the time.',
      tools: [
        {
          name: 'now',
          title: 'Now',
          description: 'Returns the time.',
          input: { type: 'object', properties: {}, required: [], additionalProperties: false },
          is_read_only: true,
          is_destructive: false,
          call: () => Promise.resolve('noon'),
        },
      ],
    },
    Buffer.concat(parts).toString(),
    header,
  );
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  ({ port } = gateway.address() as AddressInfo);
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  owner = await server.register();
  const { db } = server.services;
  const host = await insertHost(db, { name: 'tools' });
  await db
    .updateTable('teepods')
    .set({ gateway_base_domain: `cvm.localhost:${port}` })
    .where('id', '=', host.teepod.id)
    .execute();
  const who = await identityOf(db, owner.email!);
  const app = await insertApp(db, { ...who, host, name: 'tools', compose: COMPOSE });
  const cvm = await insertCvm(db, { ...app, host, user_id: who.user_id, change: { status: 'running' } });
  cvm_id = cvm.vm_uuid;
  instance_id = cvm.instance_id!;
});
afterAll(async () => {
  await server.stop();
  gateway.closeAllConnections();
  gateway.close();
});
beforeEach(() => {
  asked.length = 0;
  answer = officialServer();
});

const PLACE = { port: 8080, path: '/mcp', key: KEY };
const inspect = (more: object = {}, client = owner) =>
  client.call('inspectMcpServer', { path: { cvm_id }, body: { ...PLACE, ...more } });
const call = (tool: string, args: object, client = owner) =>
  client.call('callMcpTool', { path: { cvm_id }, body: { ...PLACE, tool, arguments: args } });
const described = async (more: object = {}) => {
  const { status, body } = await inspect(more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as McpServerDescription;
};
const returned = async (tool: string, args: object) => {
  const { status, body } = await call(tool, args);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as McpToolResult;
};
const refusal = async (more: object = {}, client = owner) => {
  const { status, body } = await inspect(more, client);
  const { message, details } = body as unknown as Problem;
  return { status, message, field: details?.[0]?.field };
};

it('lists the offerings of a server built with the official package, and ends the session', async () => {
  expect(await described()).toEqual({
    name: 'shop',
    title: 'Shop',
    version: '2.1.0',
    protocol_version: '2025-11-25',
    instructions: 'Be brief.',
    tools: [
      {
        name: 'add',
        title: 'Add',
        description: 'Adds two numbers.',
        input_schema: expect.objectContaining({
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
        }),
        read_only: true,
        destructive: false,
        destructive_hint: null,
      },
      expect.objectContaining({
        name: 'draw',
        read_only: false,
        destructive: true,
        destructive_hint: null,
      }),
      expect.objectContaining({
        name: 'fail',
        read_only: true,
        destructive: true,
        destructive_hint: true,
      }),
    ],
    resources: [{ uri: 'shop://terms', name: 'terms', description: 'Terms of sale', mime_type: null }],
    prompts: [{ name: 'greet', description: null, arguments: ['name'] }],
    incomplete: false,
  });
  // Through the gateway to this instance only: others don't know its session.
  expect(new Set(asked.map(({ host }) => host))).toEqual(
    new Set([`${instance_id}-8080.cvm.localhost:${port}`]),
  );
  expect(asked.at(-1)).toMatchObject({ method: 'DELETE', path: '/mcp' });
});

it('calls tools, and audits each call without arguments and results', async () => {
  expect(await returned('add', { a: 20, b: 22 })).toMatchObject({
    failed: false,
    content: [{ type: 'text', text: '42', mime_type: null }],
    structured: { sum: 42 },
  });
  expect(await returned('draw', {})).toMatchObject({
    content: [{ type: 'image', text: null, mime_type: 'image/png' }],
    structured: null,
  });
  expect(await returned('fail', {})).toMatchObject({
    failed: true,
    content: [{ type: 'text', text: 'The shop is closed.' }],
  });
  const rows = await server.services.db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'cvm.mcp_call')
    .orderBy('id')
    .execute();
  expect(rows.map(({ target_id, after }) => ({ target_id, after }))).toEqual(
    ['add', 'draw', 'fail'].map((tool) => ({ target_id: cvm_id, after: { tool, port: 8080 } })),
  );
  expect(JSON.stringify(rows)).not.toContain(KEY);
});

it('supports a server with only the stateless revision', async () => {
  answer = currentServer;
  expect(await described()).toMatchObject({
    name: 'clock',
    protocol_version: '2026-07-28',
    tools: [{ name: 'now', read_only: true, destructive: false }],
  });
  expect((await returned('now', {})).content).toEqual([{ type: 'text', text: 'noon', mime_type: null }]);
});

it('reports that the server requires a key or rejected the given one', async () => {
  expect(await refusal({ key: undefined })).toEqual({
    status: 422,
    field: 'key',
    message: 'The MCP server requires a key.',
  });
  expect((await refusal({ key: 'wrong' })).message).toBe('The MCP server rejects this key.');
  expect((await refusal({ key: `${KEY}\r\nx-evil: 1` })).message).toMatch(/^A key can’t contain line breaks/);
});

it('reports a service that isn’t an MCP server, and oversized replies', async () => {
  answer = (_req, res) => res.end('<h1>It works</h1>');
  expect(await refusal()).toMatchObject({
    status: 502,
    message: "The service at this address isn't an MCP server.",
  });
  answer = (_req, res) => {
    res.on('error', () => undefined);
    const part = 'x'.repeat(64 * 1024);
    const more = () => {
      while (!res.destroyed && res.write(part));
    };
    res.on('drain', more);
    more();
  };
  expect(await refusal()).toMatchObject({ status: 502, message: 'The reply is larger than 1024 KB.' });
});

/** Answers `initialize`, and everything else with this result. */
const withResult = (result: object) => async (req: IncomingMessage, res: ServerResponse) => {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  const { id, method } = JSON.parse(Buffer.concat(parts).toString() || '{}') as {
    id?: number;
    method?: string;
  };
  const introduction = {
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'list', version: '1' },
    capabilities: { tools: {} },
  };
  const json = { jsonrpc: '2.0', id, result: method === 'initialize' ? introduction : result };
  res.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' });
  res.end(id === undefined ? undefined : JSON.stringify(json));
};

it('reads no more of a list than it shows, however long the list is', async () => {
  const tools = [...Array.from({ length: 300_000 }, () => 1), { name: 'last', inputSchema: {} }];
  answer = withResult({ tools });
  expect(await described()).toMatchObject({ tools: [], incomplete: true });
  answer = withResult({ content: Array.from({ length: 300_000 }, () => 1) });
  expect((await call('add', {})).status).toBe(502);
});

it('connects only to the CVM’s own address, at published ports', async () => {
  expect((await refusal({ port: 9000 })).message).toContain("doesn't publish port 9000");
  expect((await refusal({ path: '/mcp?x=1' })).status).toBe(422);
  expect((await inspect({ path: '//elsewhere.example/mcp' })).status).toBe(200);
  expect(new Set(asked.map(({ host }) => host))).toEqual(
    new Set([`${instance_id}-8080.cvm.localhost:${port}`]),
  );
});

/** Answers `GET /usage` for the key. */
const withUsage = (body: unknown) => (req: IncomingMessage, res: ServerResponse) => {
  const isAdmitted = req.headers.authorization === `Bearer ${KEY}`;
  res.writeHead(isAdmitted ? 200 : 401, { 'content-type': 'application/json' });
  res.end(isAdmitted ? JSON.stringify(body) : '{}');
};
const readUsage = (more: object = {}, client = owner) =>
  client.call('readMcpUsage', { path: { cvm_id }, body: { port: 8080, key: KEY, ...more } });
const USE = {
  requests: 3,
  refused: 1,
  days: [{ date: '2026-11-28', requests: 3, refused: 1 }],
  tools: [{ name: 'constructor', calls: 2, failed: 0, total_ms: 8 }],
};
const STARTED = { since: '2026-11-28T08:00:00.000Z', requests_per_minute: 120 };

it('returns usage per key as counted by the server, or a single total', async () => {
  const last_used = '2026-11-28T09:00:00.000Z';
  const unused = { requests: 0, refused: 0, last_used: null, days: [], tools: [] };
  const keys = [
    { name: 'default', ...unused },
    { name: 'alice', ...USE, last_used, key: KEY },
  ];
  answer = withUsage({ ...STARTED, name: 'default', ...unused, keys });
  const several = await readUsage();
  expect([several.status, several.body as McpUsage]).toEqual([
    200,
    {
      ...STARTED,
      keys: [
        { name: 'default', requests: 0, refused: 0, last_used_at: null, days: [], tools: [] },
        { name: 'alice', ...USE, last_used_at: last_used },
      ],
    },
  ]);
  expect(asked).toEqual([
    { method: 'GET', path: '/usage', host: `${instance_id}-8080.cvm.localhost:${port}` },
  ]);
  answer = withUsage({ ...STARTED, ...USE });
  expect((await readUsage()).body).toEqual({
    ...STARTED,
    keys: [{ name: 'default', ...USE, last_used_at: null }],
  });
});

it('reports a rejected usage key, and a server without usage counts', async () => {
  answer = withUsage({ ...STARTED, ...USE });
  const refused = await readUsage({ key: 'wrong' });
  expect([refused.status, (refused.body as unknown as Problem).message]).toEqual([
    422,
    'The MCP server rejects this key.',
  ]);
  const hostile = [
    'x',
    [],
    { ...STARTED, ...USE, requests: -1 },
    { ...STARTED, ...USE, requests: 1e300 },
    { ...STARTED, ...USE, since: 'yesterday' },
    { ...STARTED, ...USE, days: [{ date: '<b>', requests: 1, refused: 0 }] },
    { ...STARTED, ...USE, keys: [{ ...USE, name: '<script>' }] },
    { ...STARTED, ...USE, keys: Array.from({ length: 33 }, () => ({ ...USE, name: 'a' })) },
    { ...STARTED, ...USE, tools: [{ name: 'x'.repeat(2 * 1024 * 1024), calls: 1, failed: 0, total_ms: 0 }] },
  ];
  for (const body of hostile) {
    answer = withUsage(body);
    const reply = await readUsage();
    expect([reply.status, (reply.body as unknown as Problem).message]).toEqual([
      502,
      "The server doesn't report key usage.",
    ]);
  }
  answer = (_req, res) => res.writeHead(404).end();
  expect((await readUsage()).status).toBe(502);
});

it('limits a team to four concurrent requests', async () => {
  const held: ServerResponse[] = [];
  answer = (_req, res) => held.push(res);
  const waiting = [1, 2, 3, 4].map(() => inspect());
  await expect.poll(() => held.length).toBe(4);
  expect(await refusal()).toMatchObject({ status: 429 });
  answer = (_req, res) => res.end('{}');
  for (const res of held) res.end('{}');
  await Promise.all(waiting);
  answer = officialServer();
  expect((await described()).name).toBe('shop');
});

it('is inaccessible to other teams, and reports a stopped CVM', async () => {
  const stranger = await server.register();
  expect((await refusal({}, stranger)).status).toBe(404);
  expect((await call('add', { a: 1, b: 1 }, stranger)).status).toBe(404);
  expect((await readUsage({}, stranger)).status).toBe(404);
  const { db } = server.services;
  await db.updateTable('cvms').set({ status: 'stopped' }).where('vm_uuid', '=', cvm_id).execute();
  expect((await refusal()).message).toBe("The CVM is stopped, so its MCP server can't answer.");
  expect(asked).toEqual([]);
});
