import type { Express } from 'express';
import { appPagePath } from '../../../../console/lib/public/site';
import { listPublicApps } from '../../../db/public/publicApps';
import type { Services } from '../../../operations/types';
import { visitor, type RateLimits } from '../../rateLimits';
import { publicAddresses } from './loaders';

/** Published apps in the sitemap, the newest: search engines find others through the explorer's pages. */
const MOST_APPS = 1_000;
/** How long a sitemap is kept: crawlers ask for it more often than it changes. */
const SITEMAP_MS = 5 * 60_000;
const YEAR_MS = 365 * 86_400_000;

/** `robots.txt`, `sitemap.xml` and, with a contact to name, `security.txt` (RFC 9116). */
export function mountSiteFiles(
  app: Express,
  { config, db, templates }: Pick<Services, 'config' | 'db' | 'templates'>,
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

  const urls = publicAddresses(templates, agentFramework).map(
    (path) => `<url><loc>${publicUrl}${path}</loc></url>`,
  );
  const readSitemap = async () => {
    const apps = await listPublicApps(db, { limit: MOST_APPS });
    const dated = apps.map(
      ({ app_id, changed_at }) =>
        `<url><loc>${publicUrl}${appPagePath(app_id)}</loc><lastmod>${changed_at.toISOString()}</lastmod></url>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[...urls, ...dated].join('')}</urlset>\n`;
  };
  let sitemap: { text: Promise<string>; until: number } | undefined;
  app.get('/sitemap.xml', async (req, res) => {
    await limits.consume('read', visitor(req));
    const now = Date.now();
    if (!sitemap || sitemap.until <= now) {
      const text = readSitemap();
      sitemap = { text, until: now + SITEMAP_MS };
      // After a failure, the next request tries again.
      text.catch(() => (sitemap = undefined));
    }
    const { text } = sitemap;
    res
      .type('application/xml')
      .set('Cache-Control', 'public, max-age=300')
      .send(await text);
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
