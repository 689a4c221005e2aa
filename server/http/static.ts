import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import express, { type Express } from 'express';
import type { Services } from '../operations/types';
import { ROOT } from '../root';
import { firstRows } from './firstRows';

const CLIENT = join(ROOT, 'dist/client');

/** Renders an app's page with this response's nonce. */
export type Pages = (app: 'console' | 'admin', url: string) => Promise<string>;

/** The pages of the build; read once. */
export function builtPages(): Pages {
  const read = (app: string) => readFileSync(join(CLIENT, app, 'index.html'), 'utf8');
  const html = { console: read('console'), admin: read('admin') };
  return async (app) => html[app];
}

export const hasBuild = () => existsSync(join(CLIENT, 'console/index.html'));

/** Files of the build under content-hashed names: compressed when it was built, kept by browsers for ever. */
export function mountAssets(app: Express): void {
  const files = new Set(walk(CLIENT).map((file) => `/${file}`));
  app.get('/assets/*file', (req, res, next) => {
    const accepted = req.get('accept-encoding') ?? '';
    if (!files.has(req.path)) return next();
    const [encoding, suffix] =
      ENCODINGS.find(([name, end]) => accepted.includes(name) && files.has(req.path + end)) ?? [];
    res.type(req.path.slice(req.path.lastIndexOf('.') + 1));
    res.set('Vary', 'Accept-Encoding');
    if (encoding) res.set('Content-Encoding', encoding);
    res.sendFile(req.path + (suffix ?? ''), { root: CLIENT, maxAge: '365d', immutable: true }, (error) => {
      // Gone since the start: another build has taken its place.
      if (error && !res.headersSent) next();
    });
  });
  app.use(express.static(CLIENT, { index: false, redirect: false, maxAge: '1h' }));
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

function walk(folder: string, base = folder): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path, base) : [relative(base, path)];
  });
}

/** The pages of a CVM are the console's, also in the frame of the admin area. */
const appOf = (path: string) =>
  /^\/admin(\/|$)/.test(path) && !/^\/admin\/cvms\/[^/]+/.test(path) ? 'admin' : 'console';

/** Everything that is no file and no API is a page of one of the two apps; what it shows for an unknown address is its business. */
export function mountPages(app: Express, pages: Pages, services: Services): void {
  app.get('/{*path}', async (req, res, next) => {
    if (req.path.startsWith('/api/') || req.path.startsWith('/assets/')) return next();
    if (req.accepts(['html', 'json']) !== 'html') return next();
    const app = appOf(req.path);
    const [html, rows] = await Promise.all([
      pages(app, req.originalUrl),
      // A page comes without them, too: it says what is wrong with the database.
      app === 'admin' ? firstRows(services, req).catch(() => undefined) : undefined,
    ]);
    if (rows !== undefined) res.append('Link', `<${rows}>; rel=preload; as=fetch; crossorigin=anonymous`);
    res
      .type('html')
      .set('Cache-Control', 'no-cache')
      .send(html.replaceAll('__CSP_NONCE__', String(res.locals.nonce)));
  });
}
