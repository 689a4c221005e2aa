import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestClient, type TestServer } from '../testing/server';

/** Input from attackers or broken clients: rejected with a documented error, never a 500 or a silent change. */
let server: TestServer;
let admin: TestClient;
let person: TestClient;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  admin = await server.register();
  person = await server.register();
});
afterAll(() => server.stop());

const send = (path: string, init: RequestInit & { cookie?: string | null } = {}) => {
  const { cookie = person.cookie, headers, ...rest } = init;
  return fetch(`${server.url}${path}`, {
    redirect: 'manual',
    ...rest,
    headers: { ...(cookie ? { cookie } : {}), ...(headers as Record<string, string>) },
  });
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('text that the database cannot store', () => {
  const BAD = ['a\u0000b', 'half \ud800 a character'];

  it.each(BAD)('is a 422 that names the field, in a body: %j', async (bad) => {
    for (const [path, body, field] of [
      ['/api/v1/workspaces', { name: bad }, 'name'],
      ['/api/v1/user/ssh-keys', { name: bad, public_key: 'ssh-ed25519 AAAA' }, 'name'],
      ['/api/v1/auth/session', { email: `${bad}@example.test`, password: 'x' }, 'email'],
      [
        '/api/v1/cvms/provision',
        { name: 'hostile', compose_file: { docker_compose_file: bad } },
        'docker_compose_file',
      ],
    ] as const) {
      const answer = await post(path, body);
      expect([path, answer.status]).toEqual([path, 422]);
      const { detail } = (await answer.json()) as { detail: { loc: string[] }[] };
      expect(detail[0]?.loc).toContain(field);
    }
  });

  it('is a 4xx in a path', async () => {
    for (const path of [
      '/api/v1/apps?search=%00',
      '/api/v1/events?kind=%00',
      '/api/v1/cvms/paginated?user_id=%00',
      '/api/v1/cvms/%00',
      '/api/v1/kms/%00',
      '/api/v1/workspaces/%00',
      '/api/v1/apps?workspace=%00',
      '/api/v1/cvms/%zz',
      '/api/v1/cvms/a%2Fb',
      '/%zz',
    ]) {
      const { status } = await send(path);
      expect([path, Math.floor(status / 100)]).toEqual([path, 4]);
    }
    expect(await (await send('/api/v1/apps?search=%00')).json()).toMatchObject({
      detail: [
        { loc: ['query', 'search'], msg: 'search: It contains a NUL character or an unpaired surrogate.' },
      ],
    });
    const undecodable = await send('/api/v1/cvms/%zz');
    expect(await undecodable.text()).toContain('%25');
    const filter = encodeURIComponent(JSON.stringify({ q: '\u0000' }));
    const { status } = await send(`/api/v1/admin/nodes?filter=${filter}`, { cookie: admin.cookie });
    expect(status).toBeLessThan(500);
  });
});

describe('unauthenticated error reports', () => {
  const report = (...lines: unknown[]) =>
    fetch(`${server.url}/monitoring?o=1&p=2`, {
      method: 'POST',
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
    });

  it('are stored or rejected, whatever they contain', async () => {
    const header = { dsn: 'https://x@o1.ingest.sentry.io/2' };
    for (const lines of [
      [header, { type: 'event' }, { message: 'nul \u0000 here', environment: '\u0000', release: '\u0000' }],
      [header, { type: 'event' }, { message: { toString: 1 } }],
      [header, { type: 'event' }, { exception: { values: [{ type: { toString: 1 }, value: [] }] } }],
      [header, { type: 'event' }, { exception: { values: { 0: null } } }],
      [header, { type: 'event' }, { message: '\ud800' }],
      [header],
    ])
      expect([JSON.stringify(lines), (await report(...lines)).status]).toEqual([JSON.stringify(lines), 200]);
    for (const type of [{ toString: 1 }, '\ud800', 'constructor', ''])
      expect((await report(header, { type }, {})).status).toBe(400);
  });
});

describe('a cross-site request', () => {
  it("can't change anything with a user's cookie", async () => {
    const change = (headers: Record<string, string>) =>
      post('/api/v1/workspaces', { name: 'made by another site' }, headers);
    const refused: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site', origin: 'https://evil.localhost' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: `${server.url}.evil.example` },
      { origin: server.url.replace('http:', 'ftp:') },
    ];
    for (const headers of refused) expect([headers, (await change(headers)).status]).toEqual([headers, 403]);
    expect((await change({ origin: server.url, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    expect((await change({})).status).toBe(201);
  });

  it("can't send JSON with a form", async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const { status } = await send('/api/v1/auth/session', {
        method: 'POST',
        cookie: null,
        headers: { 'content-type': type },
        body: JSON.stringify({ email: person.email, password: 'x' }),
      });
      expect([type, status]).not.toEqual([type, 201]);
      expect(status).toBeLessThan(500);
    }
  });
});

describe('JavaScript property names', () => {
  it('are unknown fields in a body and unknown names in a path', async () => {
    for (const body of ['{"name":"x","__proto__":{"slug":"admin"}}', '{"name":"x","constructor":1}']) {
      const answer = await post('/api/v1/workspaces', body);
      expect([body, answer.status]).toEqual([body, 422]);
    }
    for (const query of ['__proto__=1&__proto__=2', 'constructor=1', 'toString=1'])
      expect([query, (await send(`/api/v1/apps?${query}`)).status]).toEqual([query, 200]);
  });
});

describe('raw HTTP', () => {
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const url = new URL(server.url);
      const socket = connect(Number(url.port), url.hostname, () => socket.write(text));
      let got = '';
      socket.on('data', (chunk) => (got += String(chunk)));
      socket.on('close', () => resolve(got));
      socket.on('error', reject);
      setTimeout(() => socket.destroy(), 3_000).unref();
    });

  it('rejects smuggling, conflicting lengths and endless headers', async () => {
    const head = `POST /api/v1/workspaces HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    expect(await raw(`${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 400/,
    );
    expect(await raw(`${head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`)).toMatch(/^HTTP\/1.1 400/);
    expect(await raw(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431/,
    );
    expect(
      await raw('GET //evil.example/%2f.. HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ).not.toMatch(/^HTTP\/1.1 (5|3)/);
  });

  it('responds to unknown methods', async () => {
    for (const method of ['OPTIONS', 'HEAD', 'PUT', 'PATCH', 'DELETE'])
      expect((await send('/api/v1/apps', { method })).status).toBeLessThan(500);
    expect((await send('/api/v1/apps', { method: 'PUT' })).headers.get('allow')).toContain('GET');
  });

  it('never redirects to another site', async () => {
    for (const path of ['/docs', '//evil.example', '/docs//evil.example/..', '/docs/%2f%2fevil.example']) {
      const answer = await send(path);
      const to = answer.headers.get('location');
      if (to) expect(new URL(to, server.url).origin).toBe(new URL(server.url).origin);
    }
  });
});
