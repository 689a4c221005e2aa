import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from 'undici';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

let server: TestServer;
let user: TestClient;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  user = await server.register();
});
afterAll(() => server.stop());

/** undici's `request` doesn't decode the body. */
const get = (path: string, encodings: string) =>
  request(server.url + path, { headers: { cookie: user.cookie ?? '', 'accept-encoding': encodings } });

it.each([
  ['br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['identity', undefined],
])('a long document is sent to a client that accepts %s with encoding %s', async (accepted, encoding) => {
  const { headers, body } = await get('/openapi.json', accepted);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers.vary).toContain('Accept-Encoding');
  const bytes = (await body.arrayBuffer()).byteLength;
  if (encoding) expect(bytes).toBeLessThan(400_000);
  else expect(bytes).toBeGreaterThan(1_000_000);
});

it('a short response is not compressed', async () => {
  const { headers, body } = await get('/api/v1/auth/me', 'br, gzip');
  expect(headers['content-encoding']).toBeUndefined();
  await body.dump();
});

it('an event stream is not compressed, so that no event waits in the compressor', async () => {
  const { headers, body } = await get(`/api/v1/events/stream?workspace=${user.slug}`, 'br, gzip');
  expect(headers['content-type']).toContain('text/event-stream');
  expect(headers['content-encoding']).toBeUndefined();
  body.destroy();
});
