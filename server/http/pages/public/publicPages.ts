import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorRequestHandler, Express, Request, Response } from 'express';
import {
  appPagePath,
  hasHostNotes,
  versionPath,
  widgetPath,
  type PublicPage,
} from '../../../../console/lib/public/site';
import { publicHostFacts } from '../../../db/hosts/hosts';
import { findSession } from '../../../db/accounts/sessions';
import { sessionCookieName } from '../../../domain/accounts/sessionCookie';
import { sendsMail } from '../../../domain/notifications/mail/smtpUrl';
import { hashToken, isWellFormedToken } from '../../../domain/teams/token';
import type { Services } from '../../../operations/types';
import { ROOT } from '../../../root';
import { readCookie } from '../../cookies';
import { visitor, type RateLimits } from '../../rateLimits';
import { securityHeaders } from '../../security';
import { documentOf } from './document';
import { mountBadges } from './badges';
import { mountFeeds } from './feed';
import { loaderOf } from './loaders';
import type { PublicRenderer } from './renderer';
import { GENERAL_PICTURE, mountPictures } from './pictures';
import { sendTagged } from './sendTagged';
import { mountSiteFiles } from './siteFiles';

/**
 * Serves the public pages as complete HTML. The home page is public for visitors and the console for
 * members.
 */
export function mountPublicPages(
  app: Express,
  renderer: PublicRenderer,
  services: Services,
  limits: RateLimits,
): void {
  const { config } = services;
  const inline = ['console/pageStart.js', 'console/pageKeys.js'].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const picture = readFileSync(join(ROOT, 'console/ui/brand/console.png'));

  mountSiteFiles(app, services, limits);
  mountFeeds(app, services, limits);
  mountBadges(app, services, limits);
  mountPictures(app, services, limits);
  app.get(
    GENERAL_PICTURE,
    (_req, res) => void res.type('png').set('Cache-Control', 'public, max-age=86400').send(picture),
  );

  const framable = securityHeaders(config, { framable: true });
  /** Only the widget, and errors in its place, may be framed by other sites. */
  const allowFrames = (req: Request, res: Response) =>
    new Promise<void>((resolve, reject) => {
      res.removeHeader('X-Frame-Options');
      void framable(req, res, (error: unknown) => (error ? reject(error as Error) : resolve()));
    });

  const answer = async (req: Request, res: Response, { path, load, signed_in }: Asked) => {
    const params = queryOf(req.url);
    const page: PublicPage =
      load === null ? { page: 'not_found' } : await load(services, (name) => params.get(name), req.ip ?? '');
    const rendered = await renderer.render({
      page,
      path,
      public_url: config.publicUrl,
      signed_in,
      can_register: config.registration === 'open',
      agent_framework: config.agentFramework,
      security_contact: config.securityContact,
      hosts: hasHostNotes(page) ? await publicHostFacts(services.db) : null,
      has_mail: sendsMail(config),
      site: services.site,
    });
    send(req, res.status(MISSING.includes(page.page) ? 404 : 200), {
      html: documentOf({
        brand: services.site.brand,
        page: rendered,
        canonical: config.publicUrl + canonicalPath(page, path),
        picture: config.publicUrl + (rendered.picture ?? GENERAL_PICTURE),
        style: renderer.style,
        font: renderer.font,
        script: rendered.is_interactive || config.dev ? renderer.script : null,
        inline,
        nonce: config.dev ? String(res.locals.nonce) : null,
      }),
    });
  };

  app.get('/{*path}', async (req, res, next) => {
    const path = req.path === '/' ? '/' : req.path.replace(/\/$/, '');
    const load = loaderOf(path, config.agentFramework, services.site);
    if (load === undefined || !wantsPage(req)) return next();
    if (path.startsWith(widgetPath(''))) await allowFrames(req, res);
    await limits.consume('read', visitor(req), res);
    const signed_in = await isSignedIn(services, req);
    if (path === '/' && signed_in) return next();
    await answer(req, res, { path, load, signed_in });
  });

  // Express can't match a malformed URL; visitors see the same as for any other wrong one.
  const wrongAddress: ErrorRequestHandler = async (error: unknown, req, res, next) => {
    if (!(error instanceof URIError) || req.path.startsWith('/api/') || !wantsPage(req)) return next(error);
    await limits.consume('read', visitor(req), res);
    await answer(req, res, { path: '/', load: null, signed_in: await isSignedIn(services, req) });
  };
  app.use(wrongAddress);
}

interface Asked {
  path: string;
  /** Null for a page that doesn't exist. */
  load: Exclude<ReturnType<typeof loaderOf>, undefined>;
  signed_in: boolean;
}

const wantsPage = (req: Request) =>
  ['GET', 'HEAD'].includes(req.method) && req.accepts(['html', 'json']) === 'html';

/** Doesn't parse the whole URL, which fails for `//` and the like. */
function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : url.slice(start));
}

/** An app's ID has several spellings; search engines should list one. */
function canonicalPath(page: PublicPage, path: string): string {
  switch (page.page) {
    case 'app':
      return appPagePath(page.app.app_id);
    case 'widget':
      return widgetPath(page.app.app_id);
    case 'version':
      return versionPath(page.change.app_id, page.change.after.number);
    default:
      return path;
  }
}

const MISSING: readonly PublicPage['page'][] = ['not_found', 'no_widget'];

/** Browsers revalidate each time: prices and the header may have changed. */
function send(req: Request, res: Response, { html }: { html: string }): void {
  res.type('html').set({ 'Cache-Control': 'no-cache', Vary: 'Accept, Cookie' });
  sendTagged(req, res, html);
}

async function isSignedIn({ config, db }: Services, req: Request): Promise<boolean> {
  const token = readCookie(req, sessionCookieName(config.publicUrl));
  if (!token || !isWellFormedToken(token)) return false;
  return (await findSession(db, hashToken(token), null)) !== undefined;
}
