import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutboundError, type OutboundRequest } from '../../drivers/net';
import { insertApp, insertCvm, insertHost, type TestApp } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';
import { hasVerifiedDomain } from '../../db/public/publicApps';
import { readDomainFile } from './checkPublicAppDomain';

/** The file through which an app's own domain points to its report. */
const app_id = 'ab'.repeat(20);
const report = `https://cloud.example.test/explorer/${app_id}`;
const file = { version: 1, app_id, report };

interface Asked {
  url: string;
  request: OutboundRequest | undefined;
}

/** Reads the file of a domain with the given answer. */
async function read(answer: () => Response) {
  const asked: Asked[] = [];
  const net = {
    fetch: async (url: URL, request?: OutboundRequest) => {
      asked.push({ url: url.href, request });
      return answer();
    },
  };
  const { signal } = new AbortController();
  const found = await readDomainFile(net, 'app.example.test', { app_id, report, signal });
  return { ...found, asked };
}
const served = (body: unknown) => () =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status: 200 });

describe('a domain’s file', () => {
  it('names the app', async () => {
    const { result, asked } = await read(served(file));
    expect(result).toBe('names_this_app');
    expect(asked).toMatchObject([{ url: 'https://app.example.test/.well-known/teehouse.json' }]);
    expect(asked[0]?.request?.max_bytes).toBeLessThan(10_000);
    expect((await read(served({ ...file, app_id: `0x${app_id.toUpperCase()}`, more: 1 }))).result).toBe(
      'names_this_app',
    );
  });

  it.each([
    { ...file, app_id: 'cd'.repeat(20) },
    { ...file, report: `https://elsewhere.example.test/explorer/${app_id}` },
    { ...file, report: `${report}#x` },
  ])('names another app: %j', async (other) => {
    expect((await read(served(other))).result).toBe('names_another');
  });

  it.each(['', '<html>', 'null', '[]', '"x"', '{}', { ...file, version: 2 }, { ...file, report: [report] }])(
    'is invalid: %j',
    async (body) => {
      expect((await read(served(body))).result).toBe('no_file');
    },
  );

  it('is invalid behind a redirect or an error, even with correct content', async () => {
    for (const status of [404, 500, 206])
      expect(await read(() => new Response(JSON.stringify(file), { status }))).toMatchObject({
        result: 'no_file',
        reason: `It returned status ${status}.`,
      });
    const moved = () => new Response(null, { status: 302, headers: { location: report } });
    expect((await read(moved)).result).toBe('no_file');
  });

  it('is invalid if too large, and unknown without an answer', async () => {
    const failing = (kind: 'too_large' | 'refused' | 'unknown_host' | 'timeout') => () => {
      throw new OutboundError(kind, 'A sentence.');
    };
    expect(await read(failing('too_large'))).toMatchObject({ result: 'no_file' });
    for (const [kind, reason] of [
      ['refused', 'It has no public address.'],
      ['unknown_host', 'It has no public address.'],
      ['timeout', 'A sentence.'],
    ] as const)
      expect(await read(failing(kind))).toMatchObject({ result: 'unreachable', reason });
  });
});

describe('checking a domain', () => {
  let server: TestServer;
  let app: TestApp['app'];

  beforeAll(async () => {
    server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
    await server.register();
    const { db } = server.services;
    const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
    const host = await insertHost(db, {});
    const made = await insertApp(db, { team_id: team.id, host, name: 'app' });
    app = made.app;
    await insertCvm(db, { ...made, host, change: { listed: true } });
    const domain = { public_id: 'dom_1', team_id: team.id, app_id: app.id, port: 80 };
    await db
      .insertInto('domains')
      .values([
        { ...domain, domain: 'verified.test', state: 'verified', proved_at: new Date() },
        { ...domain, public_id: 'dom_2', domain: '*.wild.test', state: 'verified', proved_at: new Date() },
        { ...domain, public_id: 'dom_3', domain: 'pending.test' },
      ])
      .execute();
  });
  afterAll(() => server?.stop());

  const ask = (domain: string, id = app.app_id) =>
    server.anonymous.call('checkPublicAppDomain', { path: { app_id: id }, query: { domain } });

  it('reports whether the app’s team has added it, only for a domain that names the app', async () => {
    for (const [domain, is_registered] of [
      ['verified.test', true],
      ['x.wild.test', true],
      ['wild.test', false],
      ['y.x.wild.test', false],
      ['pending.test', false],
    ]) {
      const { status, body } = await ask(String(domain));
      expect([domain, status]).toEqual([domain, 200]);
      expect(body).toMatchObject({ domain, is_registered: false, result: 'unreachable' });
      expect(await hasVerifiedDomain(server.services.db, app.id, String(domain))).toBe(is_registered);
    }
  });

  it('rejects nonpublic names and unpublished apps', async () => {
    for (const domain of [
      'localhost',
      '127.0.0.1',
      'app.example.com:22',
      'a.test/x',
      '*.wild.test',
      'u@a.test',
    ])
      expect([domain, (await ask(domain)).status]).toEqual([domain, 422]);
    expect((await ask('verified.test', 'f'.repeat(40))).status).toBe(404);
  });
});
