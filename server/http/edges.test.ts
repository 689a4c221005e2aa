import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' });

describe('what stands beside the operations', () => {
  it('healthz and readyz say so', async () => {
    expect(await (await get('/healthz')).text()).toBe('ok\n');
    expect(await (await get('/readyz')).json()).toEqual({ ready: true });
  });

  it('metrics are for this machine, not for who comes through a proxy', async () => {
    const text = await (await get('/metrics')).text();
    expect(text).toContain('teehouse_http_request_duration_seconds_bucket');
    expect(text).toContain('teehouse_cvms');
    expect((await get('/metrics', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(403);
  });

  it('the document and its reference are served', async () => {
    const document = (await (await get('/openapi.json')).json()) as { openapi: string; paths: object };
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toContain('/cvms/provision');
    expect((await get('/docs')).headers.get('location')).toBe('/docs/');
    expect(await (await get('/docs/')).text()).toContain('swagger-ui');
    expect((await get('/docs/swagger-ui-bundle.js')).status).toBe(200);
    expect(await (await get('/docs/errors')).text()).toContain('ERR-03-001');
  });

  it('an unknown address of the API is 404, a wrong method 405 with Allow', async () => {
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
  it('carries a strict content policy and forbids framing', async () => {
    const { headers } = await get('/api/v1/instance-types');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('has a request id, and keeps one a proxy gave', async () => {
    expect((await get('/healthz')).headers.get('x-request-id')).toMatch(/^req_/);
    expect((await get('/healthz', { 'x-request-id': 'edge-12345678' })).headers.get('x-request-id')).toBe(
      'edge-12345678',
    );
    expect((await get('/healthz', { 'x-request-id': 'bad id\u00e9' })).headers.get('x-request-id')).toMatch(
      /^req_/,
    );
  });
});

describe('the session cookie', () => {
  it('is HttpOnly and SameSite, and ends with the session', async () => {
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

  it('is __Host- and Secure when the server is reached by https', async () => {
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

  it('does not work for a change that another site asks for', async () => {
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
