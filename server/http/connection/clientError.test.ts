import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zProblem } from '../../../generated/api/zod.gen';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
});
afterAll(() => server.stop());

/** Sends bytes and returns the reply once the server has closed the connection. */
const raw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const { port, hostname } = new URL(server.address);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let got = '';
    socket.on('data', (chunk) => (got += String(chunk)));
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });

describe('the header limit', () => {
  it('admits a filter of 3,900 characters, escaped', async () => {
    for (const letter of ['"', 'ü', '茶']) {
      const q = letter === '"' ? '\\"'.repeat(1946) : letter.repeat(3892);
      const filter = `{"q":"${q}"}`;
      expect(filter.length).toBeGreaterThanOrEqual(3900);
      const answer = await admin.call('listAdminNodes', { query: { filter } });
      expect([letter, answer.status]).toEqual([letter, 200]);
    }
  });

  it('is answered with a problem', async () => {
    const answer = await raw(
      `GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`,
    );
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    const problem = zProblem.parse(JSON.parse(body));
    expect(problem).toMatchObject({
      code: 'ERR-00-046',
      error_code: 'ERR-00-046',
      message: expect.stringContaining('64 KB'),
      request_id: expect.stringMatching(/^req_/),
    });
    expect(head).toContain(`X-Request-Id: ${problem.request_id}`);
    expect(head).toContain('X-Phala-Version: 2026-01-21');
  });

  it('limits size, not number: no header is ignored', async () => {
    const others = Array.from({ length: 2500 }, (_, index) => `X-${index}: a\r\n`).join('');
    const answer = await raw(
      `GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${others}X-Phala-Version: 1999-01-01\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('1999-01-01');
  });

  it('leaves the plain 400 for other broken requests', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});
