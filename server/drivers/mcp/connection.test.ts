import { expect, it } from 'vitest';
import { fromHeaderText } from '../../../console/lib/mcp/headerText';
import type { Outbound, OutboundRequest } from '../net';
import { createMcpClient } from './client';

/** Returns the failure to connect to a server that answers every request with this status. */
function failureOf(status: number): Promise<unknown> {
  async function* body() {
    yield Buffer.from('{"error":"Not now."}');
  }
  const net = { open: async () => ({ status, headers: {}, body: body() }) } as unknown as Outbound;
  return createMcpClient(net)
    .inspect({ url: 'https://mcp.example.test/mcp', key: null }, AbortSignal.timeout(10_000))
    .catch((error: unknown) => error);
}

it.each([
  [503, 'not_ready'],
  [502, 'not_ready'],
  [429, 'busy'],
  [401, 'key'],
  [404, 'no_mcp'],
] as const)('distinguishes a server that answers %i from another service', async (status, kind) => {
  expect(await failureOf(status)).toMatchObject({ name: 'McpError', kind });
});

const ADDRESS = { url: 'https://mcp.example.test/mcp', key: null };
const INTRODUCTION = {
  protocolVersion: '2025-11-25',
  serverInfo: { name: 'list', version: '1' },
  capabilities: { tools: {} },
};

async function* inParts(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A client of a server that replies with this text. */
function clientOf(
  reply: (method: string, id: number) => string,
  { type = 'application/json', size = 1024 * 1024, seen = [] as OutboundRequest[] } = {},
) {
  const open = async (_url: URL, request: OutboundRequest) => {
    seen.push(request);
    const { id, method } = JSON.parse(String(request.body)) as { id?: number; method: string };
    const text = id === undefined ? '' : reply(method, id);
    return { status: 200, headers: { 'content-type': type }, body: inParts(text, size) };
  };
  return createMcpClient({ open } as unknown as Outbound);
}
const result = (id: number, value: object) => JSON.stringify({ jsonrpc: '2.0', id, result: value });

it('reads a stream that arrives byte by byte as fast as any other', async () => {
  const client = clientOf(
    (method, id) =>
      method === 'initialize'
        ? `: ${'x'.repeat(200_000)}\ndata: ${result(id, { ...INTRODUCTION, instructions: 'x'.repeat(200_000) })}\n\n`
        : `data: ${result(id, { tools: [] })}\n\n`,
    { type: 'text/event-stream', size: 1 },
  );
  const { instructions } = await client.inspect(ADDRESS, AbortSignal.timeout(60_000));
  expect(instructions).toHaveLength(4000);
}, 30_000);

it('refuses a reply that nests too deep to be checked', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const client = clientOf((method, id) =>
    method === 'initialize'
      ? result(id, INTRODUCTION)
      : `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"t","inputSchema":{"a":${deep}}}],"content":[],"structuredContent":{"a":${deep}}}}`,
  );
  const refused = { kind: 'refused', message: 'The reply is nested deeper than 100 levels.' };
  const signal = () => AbortSignal.timeout(10_000);
  await expect(client.inspect(ADDRESS, signal())).rejects.toMatchObject(refused);
  await expect(client.call(ADDRESS, { tool: 't', arguments: {} }, signal())).rejects.toMatchObject(refused);
});

it('names a tool in a header as the protocol says, whatever its name', async () => {
  for (const [tool, expected] of [
    ['look-up', 'look-up'],
    ['búsqueda', '=?base64?YsO6c3F1ZWRh?='],
    ['a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ] as const) {
    const seen: OutboundRequest[] = [];
    const client = clientOf(
      (method, id) =>
        method === 'initialize'
          ? JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Unknown' } })
          : result(id, { content: [] }),
      { seen },
    );
    await client.call(ADDRESS, { tool, arguments: {} }, AbortSignal.timeout(10_000));
    expect(seen.at(-1)?.headers?.['mcp-name']).toBe(expected);
    expect(fromHeaderText(expected)).toBe(tool);
  }
});

it('shows what a server says of its tools as it is written, and no tool with a hidden name', async () => {
  const tool = { inputSchema: { type: 'object' } };
  const client = clientOf((method, id) =>
    method === 'initialize'
      ? result(id, INTRODUCTION)
      : result(id, {
          tools: [
            { ...tool, name: 'look', title: 'Look\u202e', description: 'Reads\u0007 a\nfile 👩‍💻' },
            { ...tool, name: 'delete\u200b' },
          ],
        }),
  );
  const { tools } = await client.inspect(ADDRESS, AbortSignal.timeout(10_000));
  expect(tools.map(({ name, title, description }) => ({ name, title, description }))).toEqual([
    { name: 'look', title: 'Look\ufffd', description: 'Reads\ufffd a\nfile 👩‍💻' },
  ]);
});
