import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyingSnippet } from '../../console/lib/ai/verifyingSnippet';
import type { CreatedAiKey } from '../../generated/api/types.gen';
import { startTestServer, type TestServer } from '../testing/server';

/** The program offered under Confidential AI, unmodified, through a proxy that can change what passes. */
let server: TestServer;
let proxy: Server;
let folder: string;
let secret: string;
let paths: string[];
let change: (path: string, text: string) => string;

beforeAll(async () => {
  server = await startTestServer();
  const owner = await server.register('owner@example.test');
  secret = ((await owner.call('createAiKey', { body: { name: 'verifier' } })).body as CreatedAiKey).secret;
  folder = await mkdtemp(path.join(tmpdir(), 'verifier-'));
  proxy = createServer((req, res) => {
    const url = req.url ?? '';
    paths.push(url.split('?', 1)[0] ?? '');
    const pass = async () => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part as Buffer);
      const { authorization } = req.headers;
      const reply = await fetch(`${server.url}${url}`, {
        method: req.method ?? 'GET',
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          'content-type': 'application/json',
        },
        ...(req.method === 'POST' ? { body: change(`${url} request`, Buffer.concat(parts).toString()) } : {}),
      });
      const id = reply.headers.get('x-receipt-id');
      res.writeHead(reply.status, id === null ? {} : { 'x-receipt-id': id });
      res.end(change(url, await reply.text()));
    };
    pass().catch((error: unknown) => res.destroy(error as Error));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await rm(folder, { recursive: true, force: true });
  await server.stop();
});
beforeEach(() => {
  paths = [];
  change = (_path, text) => text;
});

async function run({ is_built_in = true } = {}): Promise<{ code: number; output: string; errors: string }> {
  const { port } = proxy.address() as AddressInfo;
  const file = path.join(folder, 'verify.mjs');
  const base_url = `http://127.0.0.1:${port}/v1`;
  await writeFile(file, verifyingSnippet({ base_url, model: 'teehouse/echo', is_built_in }));
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, TEEHOUSE_AI_KEY: secret };
    execFile(process.execPath, [file], { env, timeout: 30_000 }, (error, output, errors) =>
      resolve({ code: error ? 1 : 0, output, errors }),
    );
  });
}
const CHAT = '/v1/chat/completions';

describe('the program that verifies', () => {
  it('checks keys, receipt and bytes, and says that the built-in gateway is not in a TEE', async () => {
    const { code, output, errors } = await run();
    expect(errors).toContain('this gateway doesn’t run in a TEE');
    expect(code).toBe(0);
    expect(output.trim().split('\n')).toEqual([
      'Passed: the report is fresh and binds its keys',
      'Passed: the keys are valid',
      'Passed: one of the gateway’s keys is named in the receipt',
      'Passed: the receipt is signed',
      'Passed: the request arrived as sent',
      'Passed: the answer arrived as returned',
      'Hello',
    ]);
  });

  it.each([
    [
      'the report',
      'the report is fresh',
      (url: string, text: string) =>
        url.includes('/aci/attestation') ? text.replace(/"not_after":\d/, '"not_after":9') : text,
    ],
    [
      'the challenge',
      'the report is fresh',
      (url: string, text: string) =>
        url.includes('/aci/attestation') ? text.replace(/("report_data":")./, '$1x') : text,
    ],
  ])('sends neither key nor prompt if %s was changed', async (_what, failure, changed) => {
    change = changed;
    const { code, errors } = await run();
    expect(code).toBe(1);
    expect(errors).toContain(`Failed: ${failure}`);
    expect(paths).toEqual(['/v1/aci/attestation']);
  });

  it('sends nothing to another gateway that doesn’t run in a TEE', async () => {
    const { code, errors } = await run({ is_built_in: false });
    expect(code).toBe(1);
    expect(errors).toContain('Failed: the gateway says that it runs in a TEE');
    expect(paths).toEqual(['/v1/aci/attestation']);
  });

  it.each([
    [
      'answer',
      'the answer arrived as returned',
      (url: string, text: string) => (url === CHAT ? text.replace('Hello', 'Hallo') : text),
    ],
    [
      'request',
      'the request arrived as sent',
      (url: string, text: string) => (url === `${CHAT} request` ? text.replace('Hello', 'Hallo') : text),
    ],
    [
      'receipt',
      'the receipt is signed',
      (url: string, text: string) =>
        url.includes('/aci/receipts/') ? text.replace(/("served_at":)\d/, '$19') : text,
    ],
  ])('fails if the %s was changed on the way', async (_what, failure, changed) => {
    change = changed;
    const { code, errors } = await run();
    expect(code).toBe(1);
    expect(errors).toContain(`Failed: ${failure}`);
  });

  it('shows the gateway’s error', async () => {
    const kept = secret;
    secret = 'thk_ai_wrong';
    const { code, errors } = await run();
    secret = kept;
    expect(code).toBe(1);
    expect(errors).toContain('401');
  });
});
