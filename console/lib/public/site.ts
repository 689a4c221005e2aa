import type {
  KmsType,
  PublicApp,
  PublicAppDetail,
  PublicTrust,
  Template,
  TemplateMcp,
  TemplateSummary,
} from '../../../generated/api/types.gen';
import type { Quote, QuoteField } from './price';
import type { SiteContent, SitePage } from './siteContent';
import type { UseCase } from './cases/useCase';

/*
 * The server's input for a public page. The server loads the data and wraps the result in a document;
 * `console/public` renders it to HTML, and renders the interactive parts again in the browser.
 */

/** A deployable size. Rates are micro-dollars per hour. */
export interface Offer {
  id: string;
  name: string;
  description: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  gpu_count: number;
  rate_micros: number;
}

/** A template in a list, with the cheapest size that fits it; null if none does. */
export interface ListedTemplate extends TemplateSummary {
  license: string;
  offer: Offer | null;
}

/** A line of the worked example, as usage shows it. */
export interface ExampleLine {
  from: string;
  to: string;
  what: string;
  basis: 'size' | 'disk';
  seconds: number;
  rate_micros: number;
  amount_micros: number;
}

/** GPUs of one model on this server's hosts. */
export interface GpuStock {
  model: string;
  all: number;
  free: number;
}

/** Example charges for a day of an app. */
export interface BillingExample {
  lines: ExampleLine[];
  total_micros: number;
  first: Offer;
  second: Offer;
}

/** An email or webhook subscription to an app, as shown on the page of its link. */
export interface Watch {
  app_id: string;
  app_name: string;
  is_confirmed: boolean;
  /** Null if the app has no page in the explorer. */
  trust: PublicTrust | null;
  is_webhook: boolean;
}

/** A line in a Compose file diff; `folded` stands for unchanged lines. */
export interface ChangedLine {
  kind: 'same' | 'added' | 'removed' | 'folded';
  text: string;
}

interface ShownVersion {
  number: number;
  compose_hash: string;
  os_image: string | null;
  created_at: string;
}

/** A version's changes. */
export interface VersionChange {
  app_id: string;
  app_name: string;
  trust: PublicTrust;
  before: ShownVersion;
  after: ShownVersion;
  lines: ChangedLine[];
  /** Number of lines beyond those shown. */
  left: number;
}

/** The explorer's filters. */
export interface ExplorerChosen {
  trust: PublicTrust | null;
  os_image: string | null;
  kms: KmsType | null;
  gpu: boolean;
}

/** Filter options: what published apps run. */
interface ExplorerChoices {
  os_images: string[];
  kms_types: KmsType[];
}

export interface ExplorerList {
  apps: PublicApp[];
  q: string;
  chosen: ExplorerChosen;
  choices: ExplorerChoices;
  /** Cursor of the next page. */
  next: string | null;
}

export type PublicPage =
  | { page: 'home'; offers: Offer[]; use_cases: UseCase[] }
  | { page: 'about' }
  | { page: 'billing'; example: BillingExample | null }
  | { page: 'pricing'; offers: Offer[]; quote: Quote; ignored: QuoteField[] }
  | { page: 'gpu'; offers: Offer[]; stock: GpuStock[] }
  | { page: 'cases'; use_cases: UseCase[] }
  | { page: 'case'; use_case: UseCase; others: UseCase[]; offer: Offer | null }
  | { page: 'agent'; framework: string; offer: Offer | null }
  | { page: 'templates'; templates: ListedTemplate[] }
  | { page: 'template'; template: Template; offer: Offer | null }
  | { page: 'mcp_servers'; templates: ListedTemplate[] }
  | { page: 'mcp_server'; template: Template; mcp: TemplateMcp; offer: Offer | null }
  | ({ page: 'explorer' } & ExplorerList)
  | { page: 'app'; app: PublicAppDetail }
  | { page: 'widget'; app: PublicAppDetail }
  /** Shown instead of the widget of an app that isn't published. */
  | { page: 'no_widget' }
  | { page: 'version'; change: VersionChange }
  | { page: 'verify' }
  | { page: 'watch'; watch: Watch | null; token: string }
  | { page: 'written'; content: SitePage }
  | { page: 'not_found' };

/** Pages that describe the protection or prices of confidential VMs. */
const PROMISES: readonly PublicPage['page'][] = [
  'home',
  'about',
  'pricing',
  'gpu',
  'cases',
  'case',
  'agent',
  'templates',
  'template',
  'mcp_servers',
  'mcp_server',
];

/** Whether a page states first what this server's hosts can't do. */
export const hasHostNotes = ({ page }: PublicPage): boolean => PROMISES.includes(page);

/** Facts about this server's hosts for visitors without a team. */
export interface HostFacts {
  /** Whether one of them is a dstack host, which has a TEE. */
  has_hardware: boolean;
  /** Whether one of them accepts apps of any team. */
  is_open: boolean;
}

export interface PageView {
  page: PublicPage;
  /** The page's path, without a query. */
  path: string;
  /** This server's URL, such as `https://cloud.example.com`. */
  public_url: string;
  /** Whether the visitor's browser has a session. */
  signed_in: boolean;
  /** Whether visitors can create an account without an invitation. */
  can_register: boolean;
  agent_framework: string;
  /** Where to report vulnerabilities; null if the operator has set none. */
  security_contact: string | null;
  /** Null on pages without host notes. */
  hosts: HostFacts | null;
  /** Whether this server can send mail. */
  has_mail: boolean;
  /** The operator's content for every page. */
  site: SiteContent;
}

export interface RenderedPage {
  title: string;
  description: string;
  /** The body's HTML. */
  body: string;
  /** Whether any site may embed the page in a frame. */
  is_framable: boolean;
  /** Whether search engines may list the page. */
  is_listed: boolean;
  /** Whether part of the page needs the script. */
  is_interactive: boolean;
  /** Path of the page's feed; null if it has none. */
  feed: string | null;
  /** Path of the image for link previews; null for the site's default. */
  picture: string | null;
  /** Structured data (schema.org); null if search engines must not list the page. */
  json_ld: object | null;
}

export type RenderPage = (view: PageView) => RenderedPage;

/** Public pages without parameters, as listed in the sitemap. */
export const PUBLIC_PATHS = {
  home: '/',
  about: '/about',
  billing: '/about/billing',
  pricing: '/about/pricing',
  cases: '/cases',
  templates: '/templates',
  mcp: '/features/mcp-hosting',
  gpu: '/gpu-tee',
  explorer: '/explorer',
  verify: '/explorer/verify',
} as const;

/** Not in the sitemap: only visitors with a link see something there. */
export const WATCH_PATH = `${PUBLIC_PATHS.explorer}/watch`;

export const appPagePath = (app_id: string) => `${PUBLIC_PATHS.explorer}/${app_id}`;
/** Returns the address of links in emails to watchers. */
export const watchPath = (token: string) => `${WATCH_PATH}?token=${encodeURIComponent(token)}`;
export const appFeedPath = (app_id: string) => `${appPagePath(app_id)}/feed.atom`;
/** Returns the path of an app's link preview image. */
export const appPicturePath = (app_id: string) => `${appPagePath(app_id)}/picture.png`;
/** Returns the path of a version's changes. */
export const versionPath = (app_id: string, number: number | string) =>
  `${appPagePath(app_id)}/versions/${number}`;
export const badgePath = (app_id: string, format: 'svg' | 'json') => `${appPagePath(app_id)}/badge.${format}`;
/** Path of the file on an app's own domain that points to its page here. */
export const DOMAIN_FILE = '/.well-known/teehouse.json';
export const widgetPath = (app_id: string) => `/widget/app/${app_id}`;
/** The agent framework's page; the framework's name is its first path segment. */
export const agentPath = (framework: string) => `/${framework}`;
export const templatePath = (id: string) => `${PUBLIC_PATHS.templates}/${id}`;
/** @param id template ID */
export const mcpServerPath = (id: string) => `${PUBLIC_PATHS.mcp}/${id}`;
export const casePath = (slug: string) => `${PUBLIC_PATHS.cases}/${slug}`;
