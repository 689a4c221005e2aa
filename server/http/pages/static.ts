import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import { NEWEST_VERSION } from '../../../console/lib/apiVersion';
import type { Services } from '../../operations/types';
import { ROOT } from '../../root';
import { escapeHtml } from '../../domain/core/escapeHtml';
import { firstRows } from './adminListPreload';
import { firstRequests, type FirstRequests } from './firstRequests';
import { createPageAddresses } from './pageAddresses';
import { createPagePreloads, readManifest } from './pagePreloads';
import { hasPublicBuild } from './public/renderer';
import { sessionCookieName } from '../../domain/accounts/sessionCookie';
import { readCookie } from '../cookies';

type App = 'console' | 'admin';

const folderOf = (app: App) => join(ROOT, 'dist', app);

export interface Pages {
  /** Renders an app's page; the response's nonce and frame are filled in later. */
  html(app: App, url: string): Promise<string>;
  /** Scripts of the console page at this path, other than those named in its HTML. */
  scripts(path: string): readonly string[];
}

/** The build's pages, read once. */
export function builtPages(): Pages {
  const read = (app: App) => readFileSync(join(folderOf(app), 'index.html'), 'utf8');
  const html = { console: read('console'), admin: read('admin') };
  return { html: async (app) => html[app], scripts: createPagePreloads(readManifest(folderOf('console'))) };
}

export const hasBuild = () =>
  existsSync(join(folderOf('console'), 'index.html')) &&
  existsSync(join(folderOf('admin'), 'index.html')) &&
  hasPublicBuild();

/** Build files under content-hashed names: compressed at build time, cached by browsers forever. */
export function mountAssets(app: Express): void {
  mountFolder(app, '/assets', join(folderOf('console'), 'assets'));
  mountFolder(app, '/admin/assets', join(folderOf('admin'), 'assets'));
  mountFolder(app, '/public/assets', join(ROOT, 'dist/public/assets'));
}

function mountFolder(app: Express, path: string, root: string): void {
  const files = new Set(readdirSync(root));
  app.get(`${path}/:file`, (req, res, next) => {
    const { file } = req.params;
    if (!files.has(file)) return next();
    const accepted = req.get('accept-encoding') ?? '';
    const [encoding, suffix] =
      ENCODINGS.find(([name, end]) => accepted.includes(name) && files.has(file + end)) ?? [];
    res.type(file.slice(file.lastIndexOf('.') + 1));
    res.set('Vary', 'Accept-Encoding');
    if (encoding) res.set('Content-Encoding', encoding);
    res.sendFile(file + (suffix ?? ''), { root, maxAge: '365d', immutable: true }, (error) => {
      // Removed since startup: another build has replaced it.
      if (error && !res.headersSent) next();
    });
  });
}

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Browsers request this address for pages without an icon, including the API's own responses. */
export function mountIcon(app: Express): void {
  const icon = readFileSync(join(ROOT, 'console/ui/brand/mark.svg'));
  app.get(
    '/favicon.ico',
    (_req, res) => void res.type('image/svg+xml').set('Cache-Control', 'public, max-age=86400').send(icon),
  );
}

/** CVM pages belong to the console, even inside the admin area's frame. */
const appOf = (path: string): App =>
  /^\/admin(\/|$)/.test(path) && !/^\/admin\/cvms\/[^/]+/.test(path) ? 'admin' : 'console';

const LOGIN = '/login';
/** Pages that signed-out visitors may open, with their frame. */
const PUBLIC_PAGE =
  /^\/(login|register|two-factor|reset-password|verify-email|invite|cli\/verify|account\/link-sso)(\/|$)/;

/** Serves the apps' pages. An unknown address gets the app's not-found page with status 404. */
export function mountPages(app: Express, pages: Pages, services: Services): void {
  const isKnown = createPageAddresses(services.config);
  const sessionCookie = sessionCookieName(services.config.publicUrl);
  const brand = escapeHtml(services.site.brand);
  const hidden = services.site.hidden.join(' ');
  app.get('/{*path}', async (req, res, next) => {
    if (/^\/(api|assets|admin\/assets|public)\//.test(req.path)) return next();
    if (req.accepts(['html', 'json']) !== 'html') return next();
    // A missing file requested directly: serving a whole app would only be slower.
    if (/\.\w+$/.test(req.path) && !isKnown(req.path)) return next();
    if (/^\/admin(\/|$)/.test(req.path) && services.config.adminNetworks?.has(req.ip ?? '') === false)
      return void res
        .status(403)
        .type('text/plain')
        .send(
          `The admin area can’t be opened from ${req.ip}. Connect to a network listed in ADMIN_NETWORKS.\n`,
        );
    const app = appOf(req.path);
    const isPublic = PUBLIC_PAGE.test(req.path) || readCookie(req, sessionCookie) === null;
    const [html, rows, first] = await Promise.all([
      pages.html(app, req.originalUrl),
      // The page works without them and reports the database problem.
      app === 'admin' ? firstRows(services, req).catch(() => undefined) : undefined,
      app === 'console' && !isPublic ? firstRequests(services, req).catch(() => undefined) : undefined,
    ]);
    if (!isKnown(req.path)) res.status(404);
    if (rows !== undefined) res.append('Link', `<${rows}>; rel=preload; as=fetch; crossorigin=anonymous`);
    // On other pages, signed-out visitors are redirected to sign in.
    const page = isPublic && !PUBLIC_PAGE.test(req.path) ? LOGIN : req.path;
    const scripts = app === 'console' ? pages.scripts(page) : [];
    res
      .type('html')
      .set('Cache-Control', 'no-cache')
      .send(
        html
          .replace('<head>', `<head>${first ? firstRequestsTag(first) : ''}`)
          .replace('</head>', `${scripts.map(preloadTag).join('')}</head>`)
          .replace('__FRAME__', isPublic ? 'public' : 'app')
          .replaceAll('__BRAND__', () => brand)
          .replace('__HIDDEN__', hidden)
          .replaceAll('__CSP_NONCE__', String(res.locals.nonce)),
      );
  });
}

const preloadTag = (file: string) => `<link rel="modulepreload" crossorigin href="/${file}" />`;

/** Comes before the script that reads it, pageStart.js. */
const firstRequestsTag = ({ team, paths }: FirstRequests) =>
  `<meta name="first-requests" data-team="${team}" data-version="${NEWEST_VERSION}" content="${paths.join(' ').replaceAll('&', '&amp;')}" />`;
