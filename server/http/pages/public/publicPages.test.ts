import type { Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SITE } from '../../../../console/lib/public/siteContent';
import { renderPage } from '../../../../console/public/render';
import { insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { templatesIn } from '../../../drivers/templates';
import { ROOT } from '../../../root';
import { Problem } from '../../../domain/core/problem';
import { publicAppDetail } from '../../../operations/public/publicApp';
import { startTestServer, type TestServer } from '../../../testing/server';
import { publicAddresses } from './loaders';
import { servePublicPages } from './testing/servePublicPages';

let server: TestServer;
let http: Server;
let origin: string;
let cookie: string;

beforeAll(async () => {
  server = await startTestServer({
    env: { TEEHOUSE_ROLE: 'web', SECURITY_CONTACT: 'mailto:security@example.test' },
  });
  cookie = (await server.register()).cookie ?? '';
  ({ http, origin } = await servePublicPages(server));
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

const templates = templatesIn([join(ROOT, 'server/templates')], {
  warn: (_fields, message) => expect.fail(message),
});

describe.each(publicAddresses(templates.all(), 'eliza', DEFAULT_SITE))('%s', (path) => {
  it('arrives complete and describes itself', async () => {
    const answer = await open(path);
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html.match(/<main[ >]/g)).toHaveLength(1);
    expect(/<title>([^<]{10,70})<\/title>/.exec(html)).not.toBeNull();
    expect(/<meta name="description" content="[^"]{20,170}">/.exec(html)).not.toBeNull();
    expect(html).toContain(`<link rel="canonical" href="${server.services.config.publicUrl}${path}">`);
    const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
    expect(data.map(([, json = '']) => JSON.parse(json) as unknown)).toMatchObject([
      { '@context': 'https://schema.org', '@type': expect.any(String) as string },
    ]);
    expect(wordsOf(html).length).toBeGreaterThan(400);
  });

  it('loads nothing from elsewhere, and a script only if it is interactive', async () => {
    const html = await textOf(path);
    for (const [, url = ''] of html.matchAll(/<(?:img|script|link)[^>]* (?:src|href)="([^"]*)"/g))
      expect(url.startsWith('/') || url.startsWith(server.services.config.publicUrl), url).toBe(true);
    expect(html.includes('<script type="module"')).toBe(html.includes('data-island'));
  });

  it('answers 304 until its content changes', async () => {
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

  it('offers no account on a server that requires an invitation', async () => {
    const { config } = server.services;
    const { registration } = config;
    config.registration = 'invite';
    const html = await textOf('/').finally(() => (config.registration = registration));
    expect(html).not.toContain('Create an account');
  });

  it('is served by the console for members', async () => {
    expect((await open('/', { cookie })).status).toBe(418);
    expect(await textOf('/about', { cookie })).toContain('Open console');
  });

  it('states that there is no TEE while only the built-in host exists', async () => {
    expect(await textOf('/')).toContain('no TEE hardware yet');
  });
});

it('looks up hosts only for pages that mention them', async () => {
  const asked = new Map<string, boolean>();
  const seen = await servePublicPages(server, 60, (view) => {
    asked.set(view.path, view.hosts !== null);
    return renderPage(view);
  });
  const paths = ['/', '/templates', '/about/billing', '/explorer', '/explorer/verify', '/cases/nope'];
  for (const path of paths) await fetch(seen.origin + path, { headers: { accept: 'text/html' } });
  seen.http.close();
  expect(paths.filter((path) => asked.get(path))).toEqual(['/', '/templates']);
  expect(asked.size).toBe(paths.length);
});

describe('paths that are not public pages', () => {
  it.each(['/login', '/acme', '/aboutx', '/constructor', '/cases/'])('are passed on: %s', async (path) => {
    expect((await open(path)).status).toBe(path === '/cases/' ? 200 : 418);
  });

  it.each([
    '/cases/nope',
    '/about/nope',
    '/explorer/nope/versions/1e9',
    '/templates/%E0%A4%A',
    '/cases/__proto__',
    '/cases/a/b',
    '/templates/nope',
    '/templates/__proto__',
    '/features/mcp-hosting/postgresql',
  ])('answer 404 for %s', async (path) => {
    const answer = await open(path);
    expect(answer.status).toBe(404);
    const html = await answer.text();
    expect(html).toContain('Page not found');
    expect(html).toContain('href="/explorer"');
    expect(html).not.toContain('application/ld+json');
  });

  it.each(['//', '//?q=a', '///', '/?'])('never cause a server error: %s', async (path) => {
    expect((await open(path)).status).toBeLessThan(500);
  });

  it('are passed on for clients that don’t accept HTML', async () => {
    expect((await open('/about', { accept: 'application/json' })).status).toBe(418);
    expect((await open('/about')).headers.get('vary')).toBe('Accept, Cookie');
  });
});

it('a template page shows price, inputs and images', async () => {
  const words = wordsOf(await textOf('/templates/postgresql'));
  expect(words).toContain('Runs on Small (tdx.small) for $0.058');
  expect(words).toContain('Password of the user postgres POSTGRES_PASSWORD 32 random characters');
  expect(words).toContain('postgres:17-alpine@sha256:742f40ea');
});

describe('prices', () => {
  const rate = async (hourly_rate_micros: number) =>
    server.services.db
      .updateTable('instance_types')
      .set({ hourly_rate_micros })
      .where('id', '=', 'tdx.small')
      .execute();

  it('are the catalog’s at page load', async () => {
    expect(wordsOf(await textOf('/about/pricing'))).toContain(
      'Small tdx.small 20 GB disk 1 2 GB $0.058 $42.34',
    );
    await rate(61_000);
    expect(wordsOf(await textOf('/about/pricing'))).toContain(
      'Small tdx.small 20 GB disk 1 2 GB $0.061 $44.53',
    );
    await rate(58_000);
  });

  it('are calculated from the URL, without a script', async () => {
    const words = wordsOf(await textOf('/about/pricing?type=tdx.large&count=2&hours=100&disk=50'));
    // 2 × 100 h × $0.232, and 2 × 630 h × 50 GB × $0.0001
    expect(words).toContain('$52.70 a month');
    expect(words).toContain('$46.40 while running , $6.30 for disks while stopped');
  });

  it('include a size’s disk, and state and calculate the cost of more', async () => {
    const words = wordsOf(await textOf('/about/pricing?type=tdx.small&count=1&hours=100&disk=1020'));
    expect(words).toContain('A rate includes the disk of its size; each additional GB costs $0.0001/h.');
    // 100 h × ($0.058 + 1,000 GB × $0.0001), and 630 h × 1,020 GB × $0.0001
    expect(words).toContain('$15.80 while running , $64.26 for disks while stopped');
    expect(wordsOf(await textOf('/about/billing'))).toContain('so stopping never costs more');
    // The template needs 40 GB, and the size has 20.
    expect(wordsOf(await textOf('/templates/qdrant'))).toContain('Runs on Small (tdx.small) for $0.06/h');
  });

  it('ignore hostile URLs', async () => {
    const html = await textOf(
      `/about/pricing?type=${encodeURIComponent('"><script>alert(1)</script>')}&count=-1`,
    );
    expect(html).not.toContain('alert(1)');
    expect(wordsOf(html)).toContain('$42.34 a month');
  });

  it('include an example whose lines add up', async () => {
    const html = await textOf('/about/billing');
    const amounts = [...html.matchAll(/\$([\d.]+)<\/td><\/tr>/g)].map(([, text = '']) => Number(text));
    const total = Number(/<strong>\$([\d.]+)<\/strong>/.exec(html)?.[1]);
    // Two sizes with their disk, then the disk alone.
    expect(amounts.length).toBe(5);
    expect(amounts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(total, 6);
  });

  it('have no example while no size is offered', async () => {
    const types = server.services.db.updateTable('instance_types');
    await types.set({ state: 'retired' }).execute();
    const words = wordsOf(await textOf('/about/billing'));
    const home = wordsOf(await textOf('/'));
    await types.set({ state: 'active' }).execute();
    expect(home).toContain('No sizes are available right now.');
    expect(words).toContain('Billing you can recompute');
    expect(words).toContain('No sizes are available right now');
  });
});

it('rate-limits an IP address without affecting others', async () => {
  const busy = await servePublicPages(server, 1);
  const from = (ip: string, path: string) =>
    fetch(busy.origin + path, { headers: { accept: 'text/html', 'x-forwarded-for': ip } });
  for (let i = 0; i < 20; i++) expect((await from('192.0.2.1', '/about')).status).toBe(200);
  const app = `/explorer/${'f'.repeat(40)}`;
  const widget = `/widget/app/${'f'.repeat(40)}`;
  for (const path of ['/about', '/explorer?q=a', app, `${app}/feed.atom`, widget]) {
    const refused = await from('192.0.2.1', path);
    expect([path, refused.status]).toEqual([path, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Otherwise the embedding page shows the browser's own error in the widget's place.
    expect([path, refused.headers.get('x-frame-options')]).toEqual([path, path === widget ? null : 'DENY']);
  }
  expect((await from('192.0.2.2', '/about')).status).toBe(200);
  busy.http.close();
});

it('counts GPUs by model, without reserved and faulty ones', async () => {
  expect(await textOf('/gpu-tee')).toContain('This cloud doesn’t have any GPUs');
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
  // No CVM can be deployed there now.
  await db.updateTable('nodes').set({ state: 'maintenance' }).where('id', '=', node.id).execute();
  expect(wordsOf(await textOf('/gpu-tee'))).toContain('H200 NVL 0 2');
});

it('robots, sitemap and security contact are published', async () => {
  expect(await textOf('/robots.txt')).toContain('Disallow: /api/');
  const sitemap = await textOf('/sitemap.xml');
  for (const path of publicAddresses(templates.all(), 'eliza', DEFAULT_SITE))
    expect(sitemap).toContain(`<loc>${server.services.config.publicUrl}${path}</loc>`);
  expect(await textOf('/.well-known/security.txt')).toMatch(
    /^Contact: mailto:security@example.test\nExpires: \d{4}-/,
  );
  expect(await textOf('/')).toContain('href="mailto:security@example.test"');
});

describe('the explorer', () => {
  it('answers 404 for unpublished apps and their feeds', async () => {
    for (const id of ['f'.repeat(40), 'nope', '%00', '..%2f..']) {
      expect([id, (await open(`/explorer/${id}`)).status]).toEqual([id, 404]);
      expect([id, (await open(`/explorer/${id}/feed.atom`)).status]).toEqual([id, 404]);
    }
  });

  it('survives hostile searches', async () => {
    for (const search of [
      '?q=%00',
      `?q=${'a'.repeat(500)}`,
      '?q=%ff&trust=x&after=zzz',
      '?q=<script>alert(1)</script>',
    ]) {
      const answer = await open(`/explorer${search}`);
      expect([search, answer.status]).toEqual([search, 200]);
      expect(await answer.text()).not.toContain('<script>alert');
    }
  });

  it('shows a published app with hostile names as text, in its page, its feed and the list', async () => {
    const { db } = server.services;
    const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
    const name = '<script>alert(1)</script>&"\u0007';
    await db.updateTable('teams').set({ name }).where('id', '=', team.id).execute();
    const host = await insertHost(db, {});
    const compose = `services:\n  web:\n    image: nginx # </pre><script>alert(2)</script>\n`;
    const app = await insertApp(db, { team_id: team.id, host, name, compose });
    await insertCvm(db, { ...app, host, change: { listed: true } });
    const path = `/explorer/${app.app.app_id}`;
    for (const address of [path, '/explorer', `${path}/feed.atom`]) {
      const answer = await open(address);
      const text = await answer.text();
      expect([address, answer.status]).toEqual([address, 200]);
      expect(text).not.toContain('<script>alert');
      expect(text).toContain('alert(1)');
    }
    const html = await textOf(path);
    expect(html).toContain(`href="${path}/feed.atom"`);
    // Search engines list one URL, however the ID is spelled.
    for (const id of [`0x${app.app.app_id}`, app.app.app_id.toUpperCase(), `app_${app.app.app_id}`])
      expect(await textOf(`/explorer/${id}`)).toContain(
        `<link rel="canonical" href="${server.services.config.publicUrl}${path}">`,
      );
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    const shown = name.replace('\u0007', '\ufffd');
    expect(JSON.parse(json)).toMatchObject({ name: shown, author: { name: shown } });
    expect(await textOf(`${path}/feed.atom`)).toContain(`Compose hash ${app.revision.compose_hash}`);
  });

  it('shows the Compose file while the visitor has too many analyses in progress', async () => {
    const { db } = server.services;
    const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
    const host = await insertHost(db, {});
    const compose = 'services:\n  busy:\n    image: nginx\n';
    const app = await insertApp(db, { team_id: team.id, host, name: 'busy', compose });
    await insertCvm(db, { ...app, host, change: { listed: true } });
    const analyze = () => Promise.reject(new Problem('RATE_LIMITED'));
    const shown = await publicAppDetail(
      { db, compose: { ...server.services.compose, analyze } },
      app.app.app_id,
      '',
    );
    expect(shown).toMatchObject({ services: null, compose_file: compose });
    const html = renderPage({
      page: { page: 'app', app: shown },
      path: '/',
      public_url: '',
      signed_in: false,
      can_register: true,
      agent_framework: 'eliza',
      security_contact: null,
      hosts: { has_hardware: true, is_open: true },
      has_mail: true,
      site: DEFAULT_SITE,
    });
    expect(html.body).toContain('The services can’t be listed right now');
  });
});
