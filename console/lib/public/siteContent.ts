import type { PageBlock } from './pageText';
import { agentPath, PUBLIC_PATHS } from './site';

/*
 * What an operator says on the public pages: docs/site.md describes the files, and lists the defaults.
 */

interface SiteLink {
  text: string;
  href: string;
}

/** Replaces what a page says at its top; whatever is absent keeps its default. */
export interface SiteText {
  title?: string | undefined;
  lead?: string | undefined;
}

/** A page that the operator wrote. */
export interface SitePage {
  slug: string;
  title: string;
  /** For search engines. */
  description: string;
  blocks: PageBlock[];
  /** RFC 3339. */
  changed_at: string;
}

export interface SiteContent {
  brand: string;
  /** First words of the footer. */
  tagline: string;
  /** Where users get help, as the address of a link; null if the operator names nothing. */
  support: string | null;
  /** In the footer, after those of the product. */
  links: readonly SiteLink[];
  /** Paths that answer 404. */
  hidden: readonly string[];
  /** By the path of their page. */
  texts: Readonly<Record<string, SiteText>>;
  pages: readonly SitePage[];
}

export const DEFAULT_BRAND = 'Teehouse';

export const defaultTagline = (brand: string) => `${brand} runs Docker Compose apps in confidential VMs.`;

export const DEFAULT_SITE: SiteContent = {
  brand: DEFAULT_BRAND,
  tagline: defaultTagline(DEFAULT_BRAND),
  support: null,
  links: [],
  hidden: [],
  texts: {},
  pages: [],
};

/** Where the operator's own pages are. Reserved as a team's address. */
export const SITE_PAGES_PATH = '/legal';

export const sitePagePath = (slug: string) => `${SITE_PAGES_PATH}/${slug}`;

/** Pages whose texts an operator may replace. */
export const editablePaths = (framework: string): string[] => [
  ...Object.values(PUBLIC_PATHS),
  agentPath(framework),
];

/** Pages that an operator may hide: all but the home page. */
export const hidablePaths = (framework: string): string[] =>
  editablePaths(framework).filter((path) => path !== PUBLIC_PATHS.home);

/** Lists that are hidden with the pages they lead to. An app's page in the explorer is its team's, and stays. */
const LISTS: readonly string[] = [PUBLIC_PATHS.cases, PUBLIC_PATHS.templates, PUBLIC_PATHS.mcp];

export const isHidden = (hidden: readonly string[], path: string): boolean =>
  hidden.some((one) => path === one || (LISTS.includes(one) && path.startsWith(`${one}/`)));
