import type { Express } from 'express';
import type { Templates } from '../../../drivers/templates';
import type { Config } from '../../../config';
import { publicAddresses } from './loaders';

const YEAR_MS = 365 * 86_400_000;

/** `robots.txt`, `sitemap.xml` and, with a contact to name, `security.txt` (RFC 9116). */
export function mountSiteFiles(
  app: Express,
  {
    publicUrl,
    securityContact,
    agentFramework,
  }: Pick<Config, 'publicUrl' | 'securityContact' | 'agentFramework'>,
  templates: Templates,
): void {
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
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`;
  app.get('/sitemap.xml', (_req, res) => void res.type('application/xml').send(sitemap));

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
