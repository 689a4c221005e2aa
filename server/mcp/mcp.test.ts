import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../root';
import { conformanceProxy } from './testing/conformance';
import { exitOf, KEY, startProgram, stopPrograms, templates } from './testing/programs';

/** The programs as deployed by the templates: extracted from their Compose files and run by Node.js. */

let folder: string;
let agent: Server;
const start = async (id: string, env: Record<string, string> = {}) =>
  (await startProgram(id, folder, env)).url;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'teehouse-mcp-'));
  agent = createServer((req, res) => {
    const url = new URL(req.url ?? '', 'http://dstack');
    if (url.pathname === '/Info')
      return void res.end(JSON.stringify({ app_id: 'a1', app_name: 'proof', app_cert: 'PEM' }));
    res.end(JSON.stringify({ quote: '0400', report_data: url.searchParams.get('report_data') }));
  }).listen(path.join(folder, 'agent.sock'));
  await once(agent, 'listening');
});
afterAll(async () => {
  stopPrograms();
  agent.close();
  await rm(folder, { recursive: true, force: true });
});

/** Each version of a template's program, with the hash of its Compose file. */
const PROGRAMS = [
  ['mcp-attestation', '1.2.1', '75d57d4bd80fca5df4f2b246439fec0b3b7f2cabd7dbd96b9c05d31fc0bac691'],
  ['mcp-files', '1.2.1', 'b64a1437220d89ae36c0039bb578dbe47a13f5ee9263a0dbcabcacf408bf6960'],
  ['mcp-memory', '1.2.1', '517580c522a935e265ab132bfb91de1805dded6e343809a85b2ac9c43fdd179c'],
] as const;

const withKey = { requestInit: { headers: { Authorization: `Bearer ${KEY}` } } };

/** A connected client of either era. */
async function connect(url: URL, era: 'current' | 'earlier') {
  if (era === 'current') {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url, withKey));
    return client;
  }
  const client = new EarlierClient({ name: 'test', version: '1' });
  // The SDK's types predate exactOptionalPropertyTypes.
  await client.connect(new EarlierTransport(url, withKey) as Parameters<typeof client.connect>[0]);
  return client;
}

type AnyClient = Awaited<ReturnType<typeof connect>>;
interface Told {
  text: string;
  isError: boolean;
}
async function call(client: AnyClient, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const result = (await client.callTool({ name, arguments: args })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  return { text: result.content[0]?.text ?? '', isError: result.isError ?? false };
}

it.each(['mcp-memory', 'mcp-files', 'mcp-attestation'])(
  '%s passes the MCP conformance suite, except scenarios that need its example tools',
  async (id) => {
    const proxy = await conformanceProxy();
    const url = await start(id, { MCP_ORIGINS: proxy.origin });
    await proxy.expectConformance(url, KEY);
    proxy.close();
  },
);

const post = (url: URL, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe.each(['current', 'earlier'] as const)('a client of the %s protocol era', (era) => {
  it.each(['mcp-memory', 'mcp-files', 'mcp-attestation'])('finds the tools that %s promises', async (id) => {
    const client = await connect(await start(id), era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => ({ name, text: description }))).toEqual(
      templates.find(id)?.mcp?.tools,
    );
    await client.close();
  });

  it('keeps notes across a crash', async () => {
    const { url, child } = await startProgram('mcp-memory', folder);
    const client = await connect(url, era);
    const { id } = JSON.parse((await call(client, 'remember', { text: `Likes oolong, ${era}` })).text) as {
      id: string;
    };
    await call(client, 'remember', { text: 'Something else' });
    child.kill('SIGKILL');
    const again = await connect(await start('mcp-memory'), era);
    const found = await call(again, 'search_notes', { words: `OOLONG ${era}` });
    expect(JSON.parse(found.text)).toMatchObject({ found: 1, notes: [{ id, text: `Likes oolong, ${era}` }] });
    await call(again, 'forget', { id });
    expect((await call(again, 'search_notes', { words: `oolong ${era}` })).text).toContain('"found":0');
    expect(await call(again, 'forget', { id })).toEqual({
      text: 'There is no note with this ID.',
      isError: true,
    });
  });

  it('gets an explanation of invalid arguments', async () => {
    const client = await connect(await start('mcp-memory'), era);
    for (const [args, text] of [
      [{}, '“text” is missing.'],
      [{ text: 7 }, '“text” must be a string.'],
      [{ text: 'x'.repeat(4001) }, '“text” must have 1 to 4000 characters.'],
      [{ text: 'x', color: 'red' }, 'Unknown argument “color”.'],
    ] as const)
      expect(await call(client, 'remember', args)).toEqual({ text, isError: true });
    await expect(call(client, 'nope')).rejects.toThrow('Unknown tool: nope');
  });
});

it.each(PROGRAMS)('%s %s is one program: a changed one needs a new version', async (id, version, sha256) => {
  const file = await readFile(path.join(ROOT, `server/templates/${id}/docker-compose.yml`));
  expect([templates.find(id)?.version, createHash('sha256').update(file).digest('hex')]).toEqual([
    version,
    sha256,
  ]);
});

it('files can’t escape their folder', async () => {
  const client = await connect(await start('mcp-files'), 'current');
  expect((await call(client, 'write_file', { path: 'a/b.md', text: 'grüße' })).isError).toBe(false);
  expect((await call(client, 'read_file', { path: 'a/b.md' })).text).toBe('grüße');
  expect(JSON.parse((await call(client, 'list_files', { folder: 'a' })).text)).toEqual({
    found: 1,
    entries: [{ name: 'b.md', bytes: 7 }],
  });
  for (const wrong of ['../x', 'a/../../x', '/etc/passwd', 'a//b', './a', 'a/.', 'a\\b', 'a\0b', '..'])
    expect((await call(client, 'read_file', { path: wrong })).isError, wrong).toBe(true);
  expect((await call(client, 'delete_file', { path: 'a' })).text).toBe('This is a folder.');
  expect((await call(client, 'delete_file', { path: 'a/b.md' })).isError).toBe(false);
  expect((await call(client, 'read_file', { path: 'a/b.md' })).text).toBe('There is no such file or folder.');
});

it('a quote covers the caller’s challenge, and the certificate is not returned', async () => {
  const client = await connect(await start('mcp-attestation'), 'current');
  expect(JSON.parse((await call(client, 'get_quote', { challenge: 'c0ffee' })).text)).toEqual({
    quote: '0400',
    report_data: 'c0ffee',
  });
  expect((await call(client, 'get_quote', { challenge: 'c0ffee&x=1' })).isError).toBe(true);
  expect(JSON.parse((await call(client, 'get_app_info')).text)).toEqual({ app_id: 'a1', app_name: 'proof' });
});

describe('a request', () => {
  let url: URL;
  beforeAll(async () => {
    url = await start('mcp-memory', { MCP_ORIGINS: 'https://ok.example', MCP_REQUESTS_PER_MINUTE: '30' });
  });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it('needs the key, and is answered with how to send it', async () => {
    for (const authorization of ['', 'Bearer wrong', `Bearer ${KEY}x`, `Basic ${KEY}`]) {
      const reply = await post(url, list, { authorization });
      expect(reply.status).toBe(401);
      expect(reply.headers.get('www-authenticate')).toContain('/.well-known/oauth-protected-resource');
    }
    const metadata = await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url));
    expect(await metadata.json()).toMatchObject({ resource: url.href, bearer_methods_supported: ['header'] });
  });

  it('from a web page is admitted only from a listed origin', async () => {
    expect((await post(url, list, { origin: 'https://evil.example' })).status).toBe(403);
    const admitted = await post(url, list, { origin: 'https://ok.example' });
    expect(admitted.status).toBe(200);
    expect(admitted.headers.get('access-control-allow-origin')).toBe('https://ok.example');
  });

  it('is refused if contradictory or malformed', async () => {
    const current = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    const cases: [unknown, Record<string, string>, number, number][] = [
      ['{', {}, 400, -32700],
      [{ id: 1 }, {}, 400, -32600],
      [[], {}, 400, -32600],
      [list, { 'mcp-protocol-version': '1999-01-01' }, 400, -32022],
      [list, current, 400, -32020],
      [{ ...list, params: meta }, { ...current, 'mcp-method': 'tools/call' }, 400, -32020],
      [
        { ...list, method: 'prompts/get', params: { ...meta, name: 'one' } },
        { ...current, 'mcp-method': 'prompts/get', 'mcp-name': 'other' },
        400,
        -32020,
      ],
      [{ ...list, method: 'nope', params: meta }, { ...current, 'mcp-method': 'nope' }, 404, -32601],
      [{ ...list, method: 'nope' }, {}, 200, -32601],
    ];
    for (const [body, headers, status, code] of cases) {
      const reply = await post(url, body, headers);
      expect([reply.status, await reply.json()]).toMatchObject([status, { error: { code } }]);
    }
    expect((await fetch(url, { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(405);
    expect((await post(url, 'x'.repeat(2_100_000))).status).toBe(413);
    expect((await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
  });

  it('is counted, and the numbers are shown only to the key', async () => {
    const { origin } = await start('mcp-memory', { MCP_REQUESTS_PER_MINUTE: '4' });
    const [mcp, usage] = [new URL('/mcp', origin), new URL('/usage', origin)];
    const tool = (name: string, args: object) =>
      post(mcp, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    await tool('remember', { text: 'Likes oolong' });
    await tool('remember', { words: 'no such argument' });
    await tool('no_such_tool', {});
    await post(mcp, list, { authorization: 'Bearer wrong' });
    // A minute boundary may fall in between.
    let refused = 0;
    for (let sent = 3; refused === 0 && sent < 20; sent++)
      refused += (await post(mcp, list)).status === 429 ? 1 : 0;
    expect((await fetch(usage)).status).toBe(401);
    const reply = await fetch(usage, { headers: { authorization: `Bearer ${KEY}` } });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const told = (await reply.json()) as {
      requests: number;
      days: { requests: number; refused: number }[];
      tools: object[];
    };
    expect(told).toMatchObject({ requests_per_minute: 4, refused: 1 });
    expect(told.requests).toBeGreaterThan(4);
    expect(told.days.reduce((sum, day) => sum + day.requests, 0)).toBe(told.requests);
    expect(told.tools).toMatchObject([{ name: 'remember', calls: 2, failed: 1 }]);
    expect(JSON.stringify(told)).not.toContain('oolong');
  });

  it('is refused with a wait time if the key has sent too many', async () => {
    let reply = await post(url, list);
    for (let i = 0; i < 70 && reply.status !== 429; i++) reply = await post(url, list);
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('a program without a key doesn’t start', async () => {
  const { code, said } = await exitOf('mcp-memory', { MCP_KEY: 'short' });
  expect(code).not.toBe(0);
  expect(said).toContain('Set MCP_KEY to at least 16 characters.');
});
