import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPage } from '../../../../console/public/render';
import { startTestServer, type TestServer } from '../../../testing/server';
import { nonce } from '../../security';
import { publicAddresses } from './loaders';
import { mountPublicPages } from './publicPages';

let server: TestServer;
let http: Server;
let origin: string;
let cookie: string;

beforeAll(async () => {
  server = await startTestServer({
    env: { TEEHOUSE_ROLE: 'web', SECURITY_CONTACT: 'mailto:security@example.test' },
  });
  cookie = (await server.register()).cookie ?? '';
  const app = express();
  app.use(nonce);
  const renderer = { render: renderPage, style: '/s.css', font: '/f.woff2', script: '/s.js' };
  mountPublicPages(app, renderer, server.services);
  app.use((_req, res) => void res.status(418).send('console'));
  http = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(async () => {
  http?.close();
  await server?.stop();
});

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(origin + path, { headers: { accept: 'text/html', ...headers } });
const textOf = async (path: string, headers?: Record<string, string>) => (await open(path, headers)).text();
/** The page's own words. */
const wordsOf = (html: string) =>
  html
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe.each(publicAddresses())('%s', (path) => {
  it('arrives complete and describes itself', async () => {
    const answer = await open(path);
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html.match(/<main[ >]/g)).toHaveLength(1);
    expect(/<title>([^<]{10,70})<\/title>/.exec(html)).not.toBeNull();
    expect(/<meta name="description" content="[^"]{20,170}">/.exec(html)).not.toBeNull();
    expect(html).toContain(`<link rel="canonical" href="${server.services.config.publicUrl}${path}">`);
    for (const [, json = ''] of html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g))
      expect(JSON.parse(json)).toMatchObject({ '@context': 'https://schema.org' });
    expect(wordsOf(html).length).toBeGreaterThan(400);
  });

  it('loads nothing from elsewhere, and a script only if it is interactive', async () => {
    const html = await textOf(path);
    for (const [, url = ''] of html.matchAll(/<(?:img|script|link)[^>]* (?:src|href)="([^"]*)"/g))
      expect(url.startsWith('/') || url.startsWith(server.services.config.publicUrl), url).toBe(true);
    expect(html.includes('<script type="module"')).toBe(html.includes('data-island'));
  });

  it('answers 304 until something on it changes', async () => {
    const etag = (await open(path)).headers.get('etag') ?? '';
    expect((await open(path, { 'if-none-match': etag })).status).toBe(304);
    expect((await open(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('the home address', () => {
  it('is the home page for visitors, and for those whose session has ended', async () => {
    expect(await textOf('/')).toContain('Create an account');
    expect(await textOf('/', { cookie: `${cookie}x` })).toContain('Create an account');
  });

  it('is left to the console for members', async () => {
    expect((await open('/', { cookie })).status).toBe(418);
    expect(await textOf('/about', { cookie })).toContain('Open console');
  });

  it('says that there is no TEE while only the built-in host exists', async () => {
    expect(await textOf('/')).toContain('no TEE hardware yet');
  });
});

describe('addresses that are not public pages', () => {
  it.each(['/login', '/acme', '/aboutx', '/about/nope', '/constructor', '/cases/'])(
    'leave %s alone',
    async (path) => {
      expect((await open(path)).status).toBe(path === '/cases/' ? 200 : 418);
    },
  );

  it.each(['/cases/nope', '/cases/__proto__', '/cases/a/b'])('answer 404 for %s', async (path) => {
    const answer = await open(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Page not found');
  });

  it('leave clients alone that want no page', async () => {
    expect((await open('/about', { accept: 'application/json' })).status).toBe(418);
  });
});

describe('prices', () => {
  const rate = async (hourly_rate_micros: number) =>
    server.services.db
      .updateTable('instance_types')
      .set({ hourly_rate_micros })
      .where('id', '=', 'tdx.small')
      .execute();

  it('are those of the catalog when the page is opened', async () => {
    expect(wordsOf(await textOf('/about/pricing'))).toContain('Small 1 2 GB $0.058 $42.34');
    await rate(61_000);
    expect(wordsOf(await textOf('/about/pricing'))).toContain('Small 1 2 GB $0.061 $44.53');
    await rate(58_000);
  });

  it('are calculated from the address, without a script', async () => {
    const words = wordsOf(await textOf('/about/pricing?type=tdx.large&count=2&hours=100&disk=50'));
    // 2 × 100 h × $0.232, and 2 × 630 h × 50 GB × $0.0001
    expect(words).toContain('$52.70 a month');
    expect(words).toContain('$46.40 while running , $6.30 for disks while stopped');
  });

  it('ignore hostile addresses', async () => {
    const html = await textOf(
      `/about/pricing?type=${encodeURIComponent('"><script>alert(1)</script>')}&count=-1`,
    );
    expect(html).not.toContain('alert(1)');
    expect(wordsOf(html)).toContain('$42.34 a month');
  });

  it('are explained by an example whose lines add up', async () => {
    const html = await textOf('/about/billing');
    const amounts = [...html.matchAll(/\$([\d.]+)<\/td><\/tr>/g)].map(([, text = '']) => Number(text));
    const total = Number(/<strong>\$([\d.]+)<\/strong>/.exec(html)?.[1]);
    expect(amounts.length).toBe(3);
    expect(amounts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 6);
  });
});

it('GPUs are counted by model, without reserved and faulty ones', async () => {
  expect(await textOf('/gpu-tee')).toContain('No host of this cloud has a GPU');
  const { db } = server.services;
  const node = await db
    .insertInto('nodes')
    .values({ name: 'gpu-node' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const teepod = await db
    .insertInto('teepods')
    .values({
      node_id: node.id,
      name: 'gpu-pod',
      kind: 'dstack_vmm',
      url: 'http://127.0.0.1:1',
      address_key: 'http://127.0.0.1:1',
      credential_kind: 'none',
      state: 'online',
      reachable: true,
      all_teams: true,
      listed: true,
      max_cvms: 8,
      max_vcpu: 64,
      max_memory_mb: 1_000_000,
      max_disk_gb: 4000,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const gpu = {
    teepod_id: teepod.id,
    description: 'H200 NVL',
    product_id: '10de:2335',
    reserved_team_id: null,
    reservation_id: null,
    last_seen_at: null,
  };
  await db
    .insertInto('gpus')
    .values([
      { ...gpu, slot: '1a:00.0', reported: true, fault: null },
      { ...gpu, slot: '1b:00.0', reported: true, fault: 'xid 79' },
    ])
    .execute();
  expect(wordsOf(await textOf('/gpu-tee'))).toContain('H200 NVL 1 2');
});

it('robots, sitemap and security contact are published', async () => {
  expect(await textOf('/robots.txt')).toContain('Disallow: /api/');
  const sitemap = await textOf('/sitemap.xml');
  for (const path of publicAddresses())
    expect(sitemap).toContain(`<loc>${server.services.config.publicUrl}${path}</loc>`);
  expect(await textOf('/.well-known/security.txt')).toMatch(
    /^Contact: mailto:security@example.test\nExpires: \d{4}-/,
  );
  expect(await textOf('/')).toContain('href="mailto:security@example.test"');
});
