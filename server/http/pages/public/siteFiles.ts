import type { Express } from 'express';
import { appPagePath, mcpServerPath, PUBLIC_PATHS, templatePath } from '../../../../console/lib/public/site';
import { isHidden, sitePagePath } from '../../../../console/lib/public/siteContent';
import { listPublicApps } from '../../../db/public/explorerApps';
import type { Services } from '../../../operations/types';
import { visitor, type RateLimits } from '../../rateLimits';
import { publicAddresses } from './loaders';
import { sendTagged } from './sendTagged';

/** Number of newest published apps in the sitemap: search engines find others through the explorer. */
const MAX_APPS = 1_000;
/** How long a sitemap is cached: crawlers request it more often than it changes. */
const SITEMAP_MS = 5 * 60_000;
const YEAR_MS = 365 * 86_400_000;

/** `robots.txt`, `sitemap.xml` and, with a contact to name, `security.txt` (RFC 9116). */
export function mountSiteFiles(
  app: Express,
  { config, db, templates, site }: Pick<Services, 'config' | 'db' | 'templates' | 'site'>,
  limits: RateLimits,
): void {
  const { publicUrl, securityContact, agentFramework } = config;
  const robots = [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /admin',
    'Disallow: /dashboard',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
  app.get('/robots.txt', (_req, res) => void res.type('text/plain').send(robots));

  const written = site.pages.map(({ slug, changed_at }) => [sitePagePath(slug), changed_at] as const);
  const entry = (path: string, at?: string) =>
    `<url><loc>${publicUrl}${path}</loc>${at === undefined ? '' : `<lastmod>${at}</lastmod>`}</url>`;
  /** A hidden app list isn't published here either. */
  const hasApps = !isHidden(site.hidden, PUBLIC_PATHS.explorer);
  const readSitemap = async () => {
    const offered = await templates.all();
    const dates = new Map([
      ...written,
      ...offered.flatMap(({ id, changelog }) =>
        [templatePath(id), mcpServerPath(id)].map((path) => [path, changelog[0]?.date] as const),
      ),
    ]);
    const urls = publicAddresses(offered, agentFramework, site).map((path) => entry(path, dates.get(path)));
    const apps = hasApps ? await listPublicApps(db, { limit: MAX_APPS }) : [];
    const dated = apps.map(({ app_id, changed_at }) => entry(appPagePath(app_id), changed_at.toISOString()));
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[...urls, ...dated].join('')}</urlset>\n`;
  };
  let sitemap: { text: Promise<string>; until: number } | undefined;
  app.get('/sitemap.xml', async (req, res) => {
    await limits.consume('read', visitor(req), res);
    const now = Date.now();
    if (!sitemap || sitemap.until <= now) {
      const text = readSitemap();
      sitemap = { text, until: now + SITEMAP_MS };
      // After a failure, the next request retries.
      text.catch(() => (sitemap = undefined));
    }
    const text = await sitemap.text;
    res.type('application/xml').set('Cache-Control', 'public, max-age=300');
    sendTagged(req, res, text);
  });

  if (securityContact === null) return;
  app.get('/.well-known/security.txt', (_req, res) => {
    const text = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(Date.now() + YEAR_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      '',
    ].join('\n');
    res.type('text/plain').send(text);
  });
}
