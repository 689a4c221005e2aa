import { expect, it } from 'vitest';
import type { Outbound } from '../net';
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
