import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' });

const DATA_POLICY = "default-src 'none';frame-ancestors 'none'";

describe('endpoints besides the API', () => {
  it('healthz and readyz report a healthy server', async () => {
    expect(await (await get('/healthz')).text()).toBe('ok\n');
    expect(await (await get('/readyz')).json()).toEqual({ ready: true });
  });

  it('metrics are served to this machine, not through a proxy', async () => {
    const text = await (await get('/metrics')).text();
    expect(text).toContain('teehouse_http_request_duration_seconds_bucket');
    expect(text).toContain('teehouse_cvms');
    // Starts at zero: monitoring would miss the increase in a series that starts with the first deadlock.
    expect(text).toMatch(/^teehouse_transaction_retries_total\{sqlstate="40P01"\} \d+$/m);
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(403);
  });

  it('two monitoring servers that scrape at the same time both get the exact numbers', async () => {
    const shards = async () => {
      const text = await (await get('/metrics')).text();
      const found = [...text.matchAll(/^teehouse_host_shards\{.*\} (\d+)$/gm)];
      return found.reduce((sum, [, value]) => sum + Number(value), 0);
    };
    const all = Array<number>(8).fill(64);
    expect(await Promise.all(all.map(shards))).toEqual(all);
  });

  it('the document and its reference are served', async () => {
    const document = (await (await get('/openapi.json')).json()) as { openapi: string; paths: object };
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toContain('/cvms/provision');
    expect((await get('/docs')).headers.get('location')).toBe('/docs/');
    const icon = await get('/favicon.ico');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await (await get('/docs/')).text()).toContain('swagger-ui');
    expect((await get('/docs/swagger-ui-bundle.js')).status).toBe(200);
    const errors = await (await get('/docs/errors')).text();
    expect(errors).toContain('ERR-03-001');
    expect(errors).toContain('Retry-After');
    expect(errors).toContain('href="/docs/"');
    const changelog = await (await get('/docs/changelog')).text();
    expect(changelog).toContain('<h2 id="2026-06-23">');
    expect(changelog).toContain('<code>GET /kms/{kms}/nodes</code>');
    // Keyboard shortcuts as on public pages.
    expect(errors).toContain('data-key="r"');
    expect((await get('/docs/keys.js')).headers.get('content-type')).toContain('javascript');
  });

  it('an unknown API path is 404, a wrong method 405 with Allow', async () => {
    const unknown = await get('/api/v1/nothing-here');
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({
      code: 'ERR-00-004',
      request_id: expect.stringMatching(/^req_/),
    });
    const method = await fetch(`${server.url}/api/v1/instance-types`, { method: 'DELETE' });
    expect(method.status).toBe(405);
    expect(method.headers.get('allow')).toBe('GET');
  });
});

describe('every reply', () => {
  it('carries a strict content security policy and forbids framing', async () => {
    const { headers } = await get('/docs/');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}='){2}(;|$)/);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('with data gets a policy that allows nothing, and no page headers', async () => {
    const paths = [
      '/v1/models',
      '/scim/v2/Users',
      '/mcp',
      '/ai-control/models',
      '/metrics',
      '/kms-auth/none',
    ];
    for (const path of [
      ...paths,
      '/healthz',
      '/readyz',
      '/webhooks/stripe',
      '/monitoring',
      '/openapi.json',
    ]) {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy'), path).toBe(DATA_POLICY);
    }
    const { headers } = await get('/api/v1/instance-types');
    expect(headers.get('content-security-policy')).toBe(DATA_POLICY);
    expect(headers.get('permissions-policy')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('has a server-generated request ID, whatever the caller sent', async () => {
    const sent = ['edge-12345678', 'req_aaaaaaaaaaaa', 'bad id\u00e9', 'x'.repeat(4000), undefined];
    const answers = await Promise.all(
      sent.map((id) => get('/healthz', id === undefined ? {} : { 'x-request-id': id })),
    );
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
    for (const id of ids) expect(id).toMatch(/^req_[\w-]{12}$/);
    expect(new Set([...ids, 'req_aaaaaaaaaaaa']).size).toBe(sent.length + 1);
  });
});

describe('the session cookie', () => {
  it('is HttpOnly and SameSite, and expires with the session', async () => {
    const person = await server.register();
    const signIn = await server.anonymous.call('createSession', {
      body: { email: person.email, password: PASSWORD },
    });
    const cookie = signIn.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/^teehouse_session=thk_ses_\w+; /);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
    expect((await person.call('deleteSession')).status).toBe(204);
    expect((await person.call('listApps')).status).toBe(401);
  });

  it('is __Host- and Secure when the server uses https', async () => {
    const https = await startTestServer({ env: { PUBLIC_URL: 'https://cloud.example.test' } });
    try {
      const answer = await https.anonymous.call('registerUser', {
        body: { email: 'a@example.test', password: PASSWORD },
      });
      expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-teehouse_session=.*; Path=\/; .*Secure/);
    } finally {
      await https.stop();
    }
  });

  it("doesn't authorize a change requested by another site", async () => {
    const person = await server.register();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const answer = await person.with(headers).call('createWorkspace', { body: { name: 'Stolen team' } });
      expect(answer.status).toBe(403);
    }
    const teams = await person.call('listWorkspaces');
    expect(teams.body.data).toHaveLength(1);
  });
});
