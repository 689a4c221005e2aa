import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SITE, editablePaths, type SiteContent } from '../../../../console/lib/public/siteContent';
import { renderPage } from '../../../../console/public/render';
import { ROOT } from '../../../root';
import { startTestServer, type TestServer } from '../../../testing/server';
import { errorHandler } from '../../errors';
import { createRateLimits } from '../../rateLimits';
import { mountPages } from '../static';
import { mountPublicPages } from './publicPages';

/** Public pages with operator content in DATA_DIR/site: docs/site.md. */
let dataDir: string;
let server: TestServer;
let origin: string;
const listening: Server[] = [];

const FILES = {
  'site.yaml': `brand: Acme & Sons
tagline: Acme & Sons runs what you wouldn’t show us.
support: help@acme.test
links:
  - { text: Status, href: https://status.acme.test/ }
hide: [/gpu-tee, /cases, /about/pricing, /explorer, /eliza]
texts:
  /: { title: Private by default, lead: 'Run <b>it</b> with us: nobody looks.' }
  /gpu-tee: { title: Never shown }
`,
  'terms.md': `# Terms of service

These terms hold for **everyone**. Write to [us](mailto:legal@acme.test).

## Rules

1. Be kind.
2. <script>alert(1)</script>
3. [Click](javascript:alert(2))
`,
  'privacy.md': '# Privacy\n\nWe keep little.\n',
  'careers.md': '# Careers\n\nWe hire.\n',
  'broken.md': 'no title\n',
};

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'teehouse-own-site-'));
  mkdirSync(join(dataDir, 'site'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(dataDir, 'site', name), text);
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', DATA_DIR: dataDir } });
  origin = await serve(server.services.site);
});
afterAll(async () => {
  for (const http of listening) http.close();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Serves only the public pages. */
async function serve(site: SiteContent): Promise<string> {
  const { services, database } = server;
  const app = express();
  const renderer = { render: renderPage, style: '/s.css', font: '/f.woff2', script: '/s.js' };
  const limits = createRateLimits(services.config, database.pool);
  mountPublicPages(app, renderer, { ...services, site }, limits);
  app.use((_req, res) => void res.status(418).send('console'));
  app.use(errorHandler(services.log));
  const http = createServer(app).listen(0, '127.0.0.1');
  listening.push(http);
  await new Promise((resolve) => http.once('listening', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const open = (path: string, headers: Record<string, string> = {}, at = origin) =>
  fetch(at + path, { headers: { accept: 'text/html', ...headers } });
const textOf = async (path: string, at = origin) => (await open(path, {}, at)).text();
const footerOf = (html: string) => /<footer.*<\/footer>/s.exec(html)?.[0] ?? '';

describe('an operator’s page', () => {
  it('arrives complete, as text and never as raw markup', async () => {
    const answer = await open('/legal/terms');
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain('<title>Terms of service · Acme &amp; Sons</title>');
    expect(html).toContain('<meta name="description" content="These terms hold for everyone. Write to us.">');
    expect(html).toContain(`<link rel="canonical" href="${server.services.config.publicUrl}/legal/terms">`);
    expect(html.match(/<h1[ >]/g)).toHaveLength(1);
    expect(html).toContain('<h2>Rules</h2>');
    expect(html).toContain('<strong>everyone</strong>');
    expect(html).toContain('<a href="mailto:legal@acme.test">us</a>');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('href="javascript:');
  });

  it('answers 304 to a browser that already has it', async () => {
    const etag = (await open('/legal/terms')).headers.get('etag') ?? '';
    expect((await open('/legal/terms', { 'if-none-match': etag })).status).toBe(304);
    expect((await open('/legal/privacy', { 'if-none-match': etag })).status).toBe(200);
  });

  it('is in the footer of every page and, with its date, in the sitemap', async () => {
    for (const path of ['/', '/about', '/legal/careers'])
      expect(
        [...footerOf(await textOf(path)).matchAll(/href="(\/legal\/[^"]+)">([^<]+)</g)].map(([, ...m]) => m),
      ).toEqual([
        ['/legal/terms', 'Terms of service'],
        ['/legal/privacy', 'Privacy'],
        ['/legal/careers', 'Careers'],
      ]);
    expect(await textOf('/sitemap.xml')).toMatch(/\/legal\/terms<\/loc><lastmod>\d{4}-\d\d-\d\dT/);
  });

  it.each([
    '/legal',
    '/legal/imprint',
    '/legal/broken',
    '/legal/__proto__',
    '/legal/terms/x',
    '/legal/..%2fterms',
  ])('isn’t at %s', async (path) => {
    const answer = await open(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Page not found');
  });
});

describe('a hidden page', () => {
  it.each(['/gpu-tee', '/cases', '/cases/private-api-keys', '/about/pricing', '/explorer', '/eliza'])(
    'answers 404 at %s',
    async (path) => {
      const answer = await open(path);
      expect(answer.status).toBe(404);
      const html = await answer.text();
      expect(html).toContain('Page not found');
      expect(html).not.toContain('Never shown');
    },
  );

  it('isn’t linked from any page or the sitemap', async () => {
    const paths = ['/', '/about', '/about/billing', '/templates', '/templates/postgresql', '/legal/none'];
    const pages = await Promise.all([...paths, '/features/mcp-hosting'].map((path) => textOf(path)));
    for (const html of pages)
      for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g))
        expect(href).not.toMatch(/^\/(gpu-tee|cases|about\/pricing|explorer$|eliza)/);
    const sitemap = await textOf('/sitemap.xml');
    expect(sitemap).not.toMatch(/\/(gpu-tee|cases|about\/pricing|eliza)[</]|\/explorer</);
    expect(sitemap).toContain('/templates/postgresql</loc>');
  });

  it('leaves neighboring pages in place', async () => {
    for (const path of ['/about', '/about/billing', '/templates'])
      expect([path, (await open(path)).status]).toEqual([path, 200]);
  });
});

describe('the operator’s texts', () => {
  it('appear on the home page, escaped, and in its description', async () => {
    const html = await textOf('/');
    expect(html).toContain('<h1>Private by default</h1>');
    expect(html).toContain('Run &lt;b&gt;it&lt;/b&gt; with us: nobody looks.');
    expect(html).toContain(
      '<meta name="description" content="Run &lt;b&gt;it&lt;/b&gt; with us: nobody looks.">',
    );
    expect(html).not.toContain('no one else can see inside');
  });

  it('set the site name on every page', async () => {
    for (const path of ['/', '/about', '/templates', '/legal/terms', '/cases']) {
      const html = await textOf(path);
      expect(html.replace(/<script.*?<\/script>/gs, ''), path).not.toContain('Teehouse');
      expect(html).toContain('<meta property="og:site_name" content="Acme &amp; Sons">');
      const footer = footerOf(html);
      expect(footer).toContain('Acme &amp; Sons runs what you wouldn’t show us.');
      expect(footer).toContain('<a href="mailto:help@acme.test">Support</a>');
      expect(footer).toContain('<a href="https://status.acme.test/">Status</a>');
    }
  });
});

it('also apply to console and admin pages', async () => {
  const app = express();
  const page =
    '<html data-frame="__FRAME__" data-brand="__BRAND__" data-hidden="__HIDDEN__"><title>__BRAND__</title>';
  mountPages(app, { html: async () => page, scripts: () => [] }, server.services);
  const http = createServer(app).listen(0, '127.0.0.1');
  listening.push(http);
  await new Promise((resolve) => http.once('listening', resolve));
  const { port } = http.address() as AddressInfo;
  for (const path of ['/login', '/admin'])
    expect(await textOf(path, `http://127.0.0.1:${port}`)).toBe(
      '<html data-frame="public" data-brand="Acme &amp; Sons" data-hidden="/gpu-tee /cases /about/pricing /explorer /eliza"><title>Acme &amp; Sons</title>',
    );
});

it('the documentation names the default of every text', async () => {
  const docs = readFileSync(join(ROOT, 'docs/site.md'), 'utf8');
  const plain = await serve(DEFAULT_SITE);
  const decode = (text = '') =>
    text.replaceAll('&amp;', '&').replaceAll('&#x27;', '’').replaceAll('<!-- -->', '');
  for (const path of editablePaths('eliza')) {
    const html = await textOf(path, plain);
    const [title, lead] = [/<h1>(.*?)<\/h1>/, /<\/h1><p[^>]*>(.*?)<\/p>/s].map((one) =>
      decode(one.exec(html)?.[1]),
    );
    expect([path, docs.includes(`| \`${path}\` | ${title} | ${lead} |`), title, lead]).toEqual([
      path,
      true,
      title,
      lead,
    ]);
  }
  expect(docs).toContain(DEFAULT_SITE.tagline);
});
