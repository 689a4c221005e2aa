import { parse } from 'yaml';
import { z } from 'zod';
import { cutText, isPageHref, pageSummary, parsePage } from '../../../console/lib/public/pageText';
import {
  DEFAULT_SITE,
  defaultTagline,
  editablePaths,
  hidablePaths,
  type SiteContent,
  type SitePage,
} from '../../../console/lib/public/siteContent';

/** Why a file can't be used. */
class SiteFault extends Error {
  override name = 'SiteFault';
}

const MAX_TITLE = 60;
/** Length of a page description shown by search engines. */
const MAX_DESCRIPTION = 160;
/** Control characters, and those that change the direction of the following text. */
const UNWANTED = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !UNWANTED.test(text), 'must be one line without control characters');

/** An email address, or an https:// address. */
const support = line(300).transform((text, ctx) => {
  const href = text.includes('://') ? text : `mailto:${text.replace(/^mailto:/, '')}`;
  if (/^(mailto|https):/.test(href) && isPageHref(href) && URL.canParse(href)) return href;
  ctx.addIssue({ code: 'custom', message: 'must be an email address or an https:// address' });
  return z.NEVER;
});

const link = z.strictObject({
  text: line(60),
  href: line(500).refine(isPageHref, 'must start with https://, http://, /, mailto: or tel:'),
});

/** `site.yaml`: see docs/site.md. */
const fileOf = (framework: string) =>
  z.strictObject({
    brand: line(40).optional(),
    tagline: line(200).optional(),
    support: support.optional(),
    links: z.array(link).max(12).default([]),
    hide: z
      .array(z.enum(hidablePaths(framework), `must be one of ${hidablePaths(framework).join(', ')}`))
      .max(50)
      .default([]),
    texts: z
      .record(z.string(), z.strictObject({ title: line(120).optional(), lead: line(400).optional() }))
      .superRefine((texts, ctx) => {
        const paths = editablePaths(framework);
        for (const path of Object.keys(texts).filter((one) => !paths.includes(one)))
          ctx.addIssue({ code: 'custom', path: [path], message: `must be one of ${paths.join(', ')}` });
      })
      .default({}),
  });

/**
 * Reads `site.yaml`.
 * @param framework the agent framework, whose page is among those that can be changed
 * @throws SiteFault with the faulty key
 */
export function parseSiteFile(source: string, framework: string): Omit<SiteContent, 'pages'> {
  const read = fileOf(framework).safeParse(yaml(source) ?? {});
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new SiteFault(`${issue?.path.join('.') || 'file'}: ${issue?.message}`);
  }
  const { brand = DEFAULT_SITE.brand, tagline = defaultTagline(brand), links, hide, texts } = read.data;
  return { brand, tagline, support: read.data.support ?? null, links, hidden: [...new Set(hide)], texts };
}

function yaml(source: string): unknown {
  try {
    return parse(source, { maxAliasCount: 0 });
  } catch (error) {
    throw new SiteFault(
      error instanceof Error ? (error.message.split('\n')[0]?.replace(/:$/, '') ?? '') : 'not YAML',
    );
  }
}

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads a page. `slug` is the name of its file.
 * @throws SiteFault with the reason
 */
export function parseSitePage(slug: string, source: string, changedAt: Date): SitePage {
  if (!SLUG.test(slug) || slug.length > 40)
    throw new SiteFault('name the file with up to 40 lowercase letters, digits and single dashes');
  // Line ends and tabs are allowed; no other control character belongs in a text.
  if (UNWANTED.test(source.replace(/[\t\n\r]/g, ''))) throw new SiteFault('contains control characters');
  const { title, blocks } = parsePage(source);
  if (title === '') throw new SiteFault('must start with a title, such as “# Terms of service”');
  if (title.length > MAX_TITLE) throw new SiteFault(`the title is longer than ${MAX_TITLE} characters`);
  if (blocks.length === 0) throw new SiteFault('contains only a title');
  return {
    slug,
    title,
    description: pageSummary(blocks, MAX_DESCRIPTION) || cutText(title, MAX_DESCRIPTION),
    blocks,
    changed_at: changedAt.toISOString(),
  };
}

/** The legal pages come first, in this order, then the others by title. */
const FIRST = ['terms', 'privacy', 'imprint'];

export function inOrder(pages: readonly SitePage[]): SitePage[] {
  const rankOf = ({ slug }: SitePage) => (FIRST.includes(slug) ? FIRST.indexOf(slug) : FIRST.length);
  return [...pages].sort((a, b) => rankOf(a) - rankOf(b) || a.title.localeCompare(b.title, 'en'));
}
