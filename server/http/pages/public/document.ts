import type { RenderedPage } from '../../../../console/lib/public/site';
import { escapeHtml } from '../../../domain/core/escapeHtml';

export interface DocumentParts {
  /** Site name. */
  brand: string;
  page: RenderedPage;
  /** Absolute URL of the page, without a query. */
  canonical: string;
  /** Absolute URL of the link preview image. */
  picture: string;
  style: string | null;
  /** Font file that every page uses; null in development. */
  font: string | null;
  /** Script URL; null for a page without interaction. */
  script: string | null;
  /** Inline scripts: the first selects light or dark before the first paint. */
  inline: readonly string[];
  /** The response's nonce, in development only: in production the policy allows inline scripts by their hashes. */
  nonce: string | null;
}

/** Returns a public page as a complete HTML document. */
export function documentOf(parts: DocumentParts): string {
  const { brand, page, canonical, picture, style, font, script, inline, nonce } = parts;
  const { title, description, body, json_ld } = page;
  const nonceAttribute = nonce === null ? '' : ` nonce="${nonce}"`;
  const property = (name: string, content: string) =>
    `<meta property="${name}" content="${escapeHtml(content)}">`;
  const head = [
    '<meta charset="utf-8">',
    ...inline.map((code) => `<script${nonceAttribute}>${code}</script>`),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    page.is_listed ? '' : '<meta name="robots" content="noindex">',
    `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    '<link rel="icon" type="image/svg+xml" href="/favicon.ico">',
    font === null ? '' : `<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
    style === null ? '' : `<link rel="stylesheet" href="${style}">`,
    script === null ? '' : `<script type="module" src="${script}"></script>`,
    nonce === null ? '' : `<meta property="csp-nonce" nonce="${nonce}">`,
    page.feed === null
      ? ''
      : `<link rel="alternate" type="application/atom+xml" title="Changes" href="${escapeHtml(page.feed)}">`,
    property('og:type', 'website'),
    property('og:site_name', brand),
    property('og:title', title),
    property('og:description', description),
    property('og:url', canonical),
    property('og:image', picture),
    '<meta name="twitter:card" content="summary_large_image">',
    // The text can't close the element: every "<" is escaped.
    json_ld === null
      ? ''
      : `<script type="application/ld+json">${JSON.stringify({ ...json_ld, url: canonical }).replaceAll('<', '\\u003c')}</script>`,
  ];
  return `<!doctype html><html lang="en"><head>${head.join('')}</head><body>${body}</body></html>`;
}
