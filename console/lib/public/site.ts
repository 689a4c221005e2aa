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
 * What the server hands to a public page. It loads the data and wraps the result into a document; `console/public`
 * turns it into HTML, and repeats the interactive parts in the browser.
 */

/** A size that can be deployed. Rates are micro-dollars per hour. */
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

/** A template in a list, with the cheapest size that is large enough for it; null if none is. */
export interface ListedTemplate extends TemplateSummary {
  license: string;
  offer: Offer | null;
}

/** One line of the worked example, as usage shows it. */
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

/** A day in the life of an app. */
export interface BillingExample {
  lines: ExampleLine[];
  total_micros: number;
  first: Offer;
  second: Offer;
}

/** A mail address or webhook that follows an app, as the page of its link shows it. */
export interface Watch {
  app_id: string;
  app_name: string;
  is_confirmed: boolean;
  /** Null while the app has no page in the explorer. */
  trust: PublicTrust | null;
  is_webhook: boolean;
}

/** A line of a Compose file beside a change; `folded` stands for unchanged ones. */
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

/** What a version changed. */
export interface VersionChange {
  app_id: string;
  app_name: string;
  trust: PublicTrust;
  before: ShownVersion;
  after: ShownVersion;
  lines: ChangedLine[];
  /** Lines that are too many to show. */
  left: number;
}

/** What the explorer's list is limited to. */
export interface ExplorerChosen {
  trust: PublicTrust | null;
  os_image: string | null;
  kms: KmsType | null;
  gpu: boolean;
}

/** What published apps run, to choose from. */
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
  /** In place of the widget of an app that isn't published. */
  | { page: 'no_widget' }
  | { page: 'version'; change: VersionChange }
  | { page: 'verify' }
  | { page: 'watch'; watch: Watch | null; token: string }
  | { page: 'written'; content: SitePage }
  | { page: 'not_found' };

/** Pages that say what confidential VMs protect from, or what they cost. */
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

/** Whether a page says before anything else what this server's hosts can't do. */
export const hasHostNotes = ({ page }: PublicPage): boolean => PROMISES.includes(page);

/** What the hosts of this server are to someone who has no team yet. */
export interface HostFacts {
  /** Whether one of them is of dstack, whose host has a TEE. */
  has_hardware: boolean;
  /** Whether one of them takes apps of any team. */
  is_open: boolean;
}

export interface PageView {
  page: PublicPage;
  /** Path of the page, without a query. */
  path: string;
  /** Of this server, such as `https://cloud.example.com`. */
  public_url: string;
  /** Whether the visitor's browser holds a session. */
  signed_in: boolean;
  agent_framework: string;
  /** Where to report vulnerabilities; null if the operator names none. */
  security_contact: string | null;
  /** Null on a page without notes about them. */
  hosts: HostFacts | null;
  /** Whether this server can send mail. */
  has_mail: boolean;
  /** What the operator says on every page. */
  site: SiteContent;
}

export interface RenderedPage {
  title: string;
  description: string;
  /** HTML of the body. */
  body: string;
  /** Whether any site may show the page in a frame. */
  is_framable: boolean;
  /** Whether search engines may list the page. */
  is_listed: boolean;
  /** Whether a part of the page needs the script. */
  is_interactive: boolean;
  /** Path of a feed about the page; null if it has none. */
  feed: string | null;
  /** Path of the picture that link previews show; null for the site's. */
  picture: string | null;
  /** Structured data (schema.org); null if search engines must not list the page. */
  json_ld: object | null;
}

export type RenderPage = (view: PageView) => RenderedPage;

/** Addresses of the public pages without parameters, as they appear in the sitemap. */
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

/** Not in the sitemap: it shows something only to visitors with a link. */
export const WATCH_PATH = `${PUBLIC_PATHS.explorer}/watch`;

export const appPagePath = (app_id: string) => `${PUBLIC_PATHS.explorer}/${app_id}`;
/** Where a link in a watcher's mail leads. */
export const watchPath = (token: string) => `${WATCH_PATH}?token=${encodeURIComponent(token)}`;
export const appFeedPath = (app_id: string) => `${appPagePath(app_id)}/feed.atom`;
/** The picture that link previews show for an app. */
export const appPicturePath = (app_id: string) => `${appPagePath(app_id)}/picture.png`;
/** What a version changed. */
export const versionPath = (app_id: string, number: number | string) =>
  `${appPagePath(app_id)}/versions/${number}`;
export const badgePath = (app_id: string, format: 'svg' | 'json') => `${appPagePath(app_id)}/badge.${format}`;
/** Where an app serves a file on its own domain that points to its page here. */
export const DOMAIN_FILE = '/.well-known/teehouse.json';
export const widgetPath = (app_id: string) => `/widget/app/${app_id}`;
/** The agent framework's page: its name is the first segment. */
export const agentPath = (framework: string) => `/${framework}`;
export const templatePath = (id: string) => `${PUBLIC_PATHS.templates}/${id}`;
/** @param id of the template */
export const mcpServerPath = (id: string) => `${PUBLIC_PATHS.mcp}/${id}`;
export const casePath = (slug: string) => `${PUBLIC_PATHS.cases}/${slug}`;
