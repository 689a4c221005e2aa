import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import { identityOf, insertToken } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

const ids = Object.keys(operations) as OperationId[];

/** Reads `"write";q=60;w=60` or `"write";r=59;t=42`. */
function read(header: string | null): { name: string; [parameter: string]: string | number } {
  const [, name = '', rest = ''] = /^"(\w+)"((?:;\w=\d+)+)$/.exec(header ?? '') ?? [];
  const parameters = [...rest.matchAll(/;(\w)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)]);
  return { name, ...Object.fromEntries(parameters) };
}

/** Without a session, nothing changes, and the request is counted before it is refused. */
const call = (id: OperationId): Promise<Response> => {
  const { method, path } = operations[id];
  const address = `${server.address}/api/v1${path.replaceAll(/\{\w+\}/g, 'unknown-thing')}`;
  return fetch(address, { method: method.toUpperCase(), redirect: 'manual' });
};

describe('rate limit headers', () => {
  it.each(ids)('%s states its limit and the remainder', async (id) => {
    const { headers, status } = await call(id);
    const policy = read(headers.get('ratelimit-policy'));
    const left = read(headers.get('ratelimit'));
    expect([policy.name, left.name], `status ${status}`).toEqual([operations[id].rate, operations[id].rate]);
    expect(policy).toMatchObject({ q: expect.any(Number), w: expect.any(Number) });
    expect(left.r).toBeLessThanOrEqual(Number(policy.q));
    expect(left.t).toBeLessThanOrEqual(Number(policy.w));
  });

  it('count down to a refusal that agrees with Retry-After', async () => {
    const id = ids.find((one) => operations[one].rate === 'probe') as OperationId;
    let before = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 100; tries += 1) {
      const { status, headers } = await call(id);
      const left = read(headers.get('ratelimit'));
      if (status === 429) {
        expect(left.r).toBe(0);
        expect(Number(headers.get('retry-after'))).toBe(Math.max(1, Number(left.t)));
        return;
      }
      expect(left.r).toBeLessThan(before);
      before = Number(left.r);
    }
    expect.unreachable('never refused');
  });

  it('are on limited endpoints besides the API', async () => {
    const member = await server.register();
    const { db } = server.services;
    const token = await insertToken(db, await identityOf(db, member.email!));
    const post = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${server.address}${path}`, { method: 'POST', body: '{}', headers });
    const mcp = await post('/mcp', { authorization: `Bearer ${token}` });
    expect(read(mcp.headers.get('ratelimit-policy')).name).toBe('read');
    const reports = await post('/monitoring?o=0&p=0');
    expect(read(reports.headers.get('ratelimit-policy'))).toEqual({ name: 'monitoring', q: 120, w: 60 });
    const kms = await post('/kms-auth/unknown/phala/bootAuth/app');
    expect([kms.status, read(kms.headers.get('ratelimit')).name]).toEqual([404, 'wrong_tokens']);
  });
});
