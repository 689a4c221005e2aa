import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newToken } from '../domain/teams/token';
import { createLogger } from '../log';
import { createMetrics } from './metrics/metrics';
import { requestLog } from './requestLog';

const lines: Record<string, unknown>[] = [];
const log = createLogger('debug', { write: (line: string) => void lines.push(JSON.parse(line) as never) });
const http = createServer(express().use(requestLog(log, createMetrics())));
beforeAll(() => new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => http.close(resolve)));

/** Returns the log line of a request sent with ID `id`, and the ID in its reply. */
async function logged(id: string): Promise<{ line: Record<string, unknown>; replied: string }> {
  lines.length = 0;
  const { port } = http.address() as AddressInfo;
  const replied = await new Promise<string>((resolve, reject) => {
    request({ port, headers: { 'x-request-id': id } }, (reply) => {
      reply.resume().once('close', () => resolve(String(reply.headers['x-request-id'])));
    })
      .once('error', reject)
      .end();
  });
  await expect.poll(() => lines.length).toBe(1);
  return { line: lines[0]!, replied };
}

it("logs the caller's request ID beside the server's own", async () => {
  const { line, replied } = await logged('edge-12345678');
  expect(line).toMatchObject({ request_id: replied, caller_request_id: 'edge-12345678' });
  expect(replied).toMatch(/^req_/);
});

it.each([
  ['longer than 128 characters', 'x'.repeat(129)],
  ['with a space', 'two words'],
  ['outside ASCII', 'caf\u00e9'],
])("drops the caller's request ID %s", async (_, id) => {
  expect((await logged(id)).line).not.toHaveProperty('caller_request_id');
});

it('redacts a credential sent as a request ID', async () => {
  const token = newToken('api');
  const { line } = await logged(token);
  expect(line.caller_request_id).toBe('thk_api_[redacted]');
});
