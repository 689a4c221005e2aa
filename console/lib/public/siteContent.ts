import type { PageBlock } from './pageText';
import { agentPath, PUBLIC_PATHS } from './site';

/*
 * An operator's content for the public pages: docs/site.md describes the files and lists the defaults.
 */

interface SiteLink {
  text: string;
  href: string;
}

/** Replaces the text at the top of a page; absent parts keep their default. */
export interface SiteText {
  title?: string | undefined;
  lead?: string | undefined;
}

/** A page written by the operator. */
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
  /** The footer's first words. */
  tagline: string;
  /** The address of a link for support; null if the operator has set none. */
  support: string | null;
  /** Shown in the footer after the product's links. */
  links: readonly SiteLink[];
  /** Paths that return 404. */
  hidden: readonly string[];
  /** Keyed by page path. */
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

/** Path of the operator's own pages. Reserved, so no team can have it. */
export const SITE_PAGES_PATH = '/legal';

export const sitePagePath = (slug: string) => `${SITE_PAGES_PATH}/${slug}`;

/** Returns the pages whose texts an operator can replace. */
export const editablePaths = (framework: string): string[] => [
  ...Object.values(PUBLIC_PATHS),
  agentPath(framework),
];

/** Returns the pages that an operator can hide: all but the home page. */
export const hidablePaths = (framework: string): string[] =>
  editablePaths(framework).filter((path) => path !== PUBLIC_PATHS.home);

/** Lists that are hidden together with their child pages. An app's explorer page belongs to its team and stays. */
const LISTS: readonly string[] = [PUBLIC_PATHS.cases, PUBLIC_PATHS.templates, PUBLIC_PATHS.mcp];

export const isHidden = (hidden: readonly string[], path: string): boolean =>
  hidden.some((one) => path === one || (LISTS.includes(one) && path.startsWith(`${one}/`)));
