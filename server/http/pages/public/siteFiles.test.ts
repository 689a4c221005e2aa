import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { appPagePath } from '../../../../console/lib/public/site';
import { insertApp, insertCvm, insertHost, type TestApp, type TestHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../../testing/server';
import { createRateLimits } from '../../rateLimits';
import { mountSiteFiles } from './siteFiles';

let server: TestServer;
let host: TestHost;
let http: Server;
let origin: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  host = await insertHost(server.services.db, {});
  const { services, database } = server;
  const app = express();
  mountSiteFiles(app, services, createRateLimits(services.config, database.pool));
  http = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

async function publish(name: string): Promise<TestApp['app']> {
  const { db } = server.services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const made = await insertApp(db, { team_id: team.id, host, name });
  await insertCvm(db, { ...made, host, change: { listed: true } });
  return made.app;
}

it('the sitemap lists published apps with their last change, refreshed every five minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const listed = async ({ app_id }: TestApp['app']) => {
    const answer = await fetch(`${origin}/sitemap.xml`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"read";q=\d+;w=60$/);
    return new RegExp(`${appPagePath(app_id)}</loc><lastmod>\\d{4}-`).test(await answer.text());
  };
  const first = await publish('first');
  expect(await listed(first)).toBe(true);
  const second = await publish('second');
  vi.setSystemTime(Date.now() + 299_000);
  expect(await listed(second)).toBe(false);
  vi.setSystemTime(Date.now() + 1_000);
  expect([await listed(first), await listed(second)]).toEqual([true, true]);
});

it('the sitemap dates templates by their changelog', async () => {
  const text = await (await fetch(`${origin}/sitemap.xml`)).text();
  for (const path of ['/templates/postgresql', '/features/mcp-hosting/mcp-memory'])
    expect(text).toMatch(new RegExp(`${path}</loc><lastmod>\\d{4}-\\d\\d-\\d\\d</lastmod>`));
});

it('the sitemap answers 304 to a crawler that already has it', async () => {
  const address = `${origin}/sitemap.xml`;
  const etag = (await fetch(address)).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
});
