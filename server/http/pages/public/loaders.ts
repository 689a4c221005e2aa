import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { ownValue } from '../../../../console/lib/ownValue';
import { ignoredOf, quoteOf, rateWithDisk } from '../../../../console/lib/public/price';
import { AGENT_SIZE } from '../../../../console/lib/agent/compose';
import {
  agentPath,
  casePath,
  mcpServerPath,
  PUBLIC_PATHS,
  templatePath,
  versionPath,
  WATCH_PATH,
  widgetPath,
  type BillingExample,
  type ExampleLine,
  type ListedTemplate,
  type Offer,
  type PublicPage,
} from '../../../../console/lib/public/site';
import {
  isHidden,
  SITE_PAGES_PATH,
  sitePagePath,
  type SiteContent,
} from '../../../../console/lib/public/siteContent';
import { sizeForTemplate } from '../../../../console/lib/public/template';
import { USE_CASES } from '../../../../console/lib/public/useCases';
import { visibleText } from '../../../../console/lib/public/visibleText';
import { listActiveInstanceTypes } from '../../../db/catalog/catalog';
import type { Db } from '../../../db/core/client';
import { findWatch } from '../../../db/public/appWatches';
import { explorerChoices, listPublicApps, type ExplorerPlace } from '../../../db/public/explorerApps';
import { publicGpuStock } from '../../../db/hosts/gpus';
import type { InstanceTypeRow } from '../../../db/catalog/instanceTypesTable';
import { meter, type StateChange } from '../../../domain/billing/metering';
import { templateSummary } from '../../../domain/catalog/template';
import { Problem } from '../../../domain/core/problem';
import type { Template } from '../../../../generated/api/types.gen';
import { publicAppOut, trustOf } from '../../../domain/public/publicAppResponse';
import { readWatchToken } from '../../../domain/public/watchToken';
import { cursorOfApp, placeOfCursor } from '../../../operations/public/explorerCursor';
import { publicAppDetail } from '../../../operations/public/publicApp';
import { publicChange } from '../../../operations/public/publicChange';
import type { Services } from '../../../operations/types';

/** Loads a public page's data. `query` reads one parameter of its URL; `address` is the visitor's IP address. */
type Load = (
  services: Pick<Services, 'db' | 'compose' | 'templates' | 'seal'>,
  query: (name: string) => string | null,
  address: string,
) => Promise<PublicPage>;

/** Apps per explorer page. */
const APPS = 24;

const offerOf = (type: InstanceTypeRow): Offer => ({
  id: type.id,
  name: type.name,
  description: type.description,
  vcpu: type.vcpu,
  memory_mb: type.memory_mb,
  disk_gb: type.default_disk_size_gb,
  gpu_count: type.gpu_count,
  rate_micros: type.hourly_rate_micros,
});

const offersOf = async (db: Db): Promise<Offer[]> => (await listActiveInstanceTypes(db)).map(offerOf);

const STATIC: Readonly<Record<string, Load>> = {
  [PUBLIC_PATHS.home]: async ({ db }) => ({
    page: 'home',
    offers: await offersOf(db),
    use_cases: [...USE_CASES],
  }),
  [PUBLIC_PATHS.about]: async () => ({ page: 'about' }),
  [PUBLIC_PATHS.billing]: async ({ db }) => ({
    page: 'billing',
    example: billingExample(await offersOf(db)),
  }),
  [PUBLIC_PATHS.pricing]: async ({ db }, query) => {
    const offers = await offersOf(db);
    return { page: 'pricing', offers, quote: quoteOf(query, offers), ignored: ignoredOf(query) };
  },
  [PUBLIC_PATHS.cases]: async () => ({ page: 'cases', use_cases: [...USE_CASES] }),
  [PUBLIC_PATHS.templates]: async ({ db, templates }) => ({
    page: 'templates',
    templates: listed(await templates.all(), await offersOf(db)),
  }),
  [PUBLIC_PATHS.mcp]: async ({ db, templates }) => ({
    page: 'mcp_servers',
    templates: listed(mcpTemplates(await templates.all()), await offersOf(db)),
  }),
  [PUBLIC_PATHS.explorer]: explorerPage,
  [PUBLIC_PATHS.verify]: async () => ({ page: 'verify' }),
  [PUBLIC_PATHS.gpu]: async ({ db }) => {
    const [offers, stock] = await Promise.all([offersOf(db), publicGpuStock(db)]);
    return { page: 'gpu', offers: offers.filter(({ gpu_count }) => gpu_count > 0), stock };
  },
};

/**
 * Returns a path's loader; undefined if there is no public page, null if the page it names doesn't exist.
 * @param framework the agent framework, which has its own page
 * @param site the operator's pages and hidden pages
 */
export function loaderOf(path: string, framework: string, site: SiteContent): Load | null | undefined {
  if (isHidden(site.hidden, path)) return null;
  const exact = ownValue(STATIC, path);
  if (exact) return exact;
  if (path === agentPath(framework))
    return async ({ db }) => ({ page: 'agent', framework, offer: sizeOfAgent(await offersOf(db)) });
  if (path === SITE_PAGES_PATH || path.startsWith(`${SITE_PAGES_PATH}/`)) {
    const content = site.pages.find(({ slug }) => sitePagePath(slug) === path);
    return content ? async () => ({ page: 'written', content }) : null;
  }
  if (path === WATCH_PATH)
    return async (services, query) => watchPage(services, query('token')?.slice(0, 300) ?? '');
  const app_id = new RegExp(`^${PUBLIC_PATHS.explorer}/([^/]+)$`).exec(path)?.[1];
  if (app_id !== undefined) return (services, _query, address) => appPage(services, app_id, address);
  const version = new RegExp(`^${versionPath('([^/]+)', '([1-9]\\d{0,8})')}$`).exec(path);
  if (version)
    return async ({ db }) => {
      const change = await publicChange(db, version[1] ?? '', Number(version[2]));
      return change ? { page: 'version', change } : { page: 'not_found' };
    };
  const widget = new RegExp(`^${widgetPath('([^/]+)')}$`).exec(path)?.[1];
  if (widget !== undefined)
    return async (services, _query, address) => {
      const found = await appPage(services, widget, address);
      return found.page === 'app' ? { ...found, page: 'widget' } : { page: 'no_widget' };
    };
  const mcp_server = new RegExp(`^${PUBLIC_PATHS.mcp}/([^/]+)$`).exec(path)?.[1];
  if (mcp_server !== undefined)
    return async (services) => {
      const found = await templatePage(services, mcp_server);
      if (found.page !== 'template' || found.template.mcp === null) return { page: 'not_found' };
      return { ...found, page: 'mcp_server', mcp: found.template.mcp };
    };
  const template_id = new RegExp(`^${PUBLIC_PATHS.templates}/([^/]+)$`).exec(path)?.[1];
  if (template_id !== undefined) return (services) => templatePage(services, template_id);
  const use_case = USE_CASES.find(({ slug }) => casePath(slug) === path);
  if (!use_case) return ONLY_PUBLIC.test(path) ? null : undefined;
  return async ({ db }) => ({
    page: 'case',
    use_case,
    others: USE_CASES.filter((one) => one !== use_case).slice(0, 3),
    offer: (await offersOf(db))[0] ?? null,
  });
}

/** The console has no pages below these paths, so "not found" reads the same everywhere there. */
const ONLY_PUBLIC = /^\/(about|cases|explorer|features|templates|widget)\//;

const mcpTemplates = (templates: readonly Template[]) => templates.filter(({ mcp }) => mcp !== null);

const sizeOfAgent = (offers: readonly Offer[]): Offer | null =>
  offers.find(
    ({ vcpu, memory_mb, gpu_count }) =>
      gpu_count === 0 && vcpu >= AGENT_SIZE.vcpu && memory_mb >= AGENT_SIZE.memory_mb,
  ) ?? null;

/** Every public path, for the sitemap. */
export const publicAddresses = (
  templates: readonly Template[],
  framework: string,
  site: SiteContent,
): string[] =>
  [
    ...Object.keys(STATIC),
    agentPath(framework),
    ...USE_CASES.map(({ slug }) => casePath(slug)),
    ...templates.map(({ id }) => templatePath(id)),
    ...mcpTemplates(templates).map(({ id }) => mcpServerPath(id)),
    ...site.pages.map(({ slug }) => sitePagePath(slug)),
  ].filter((path) => !isHidden(site.hidden, path));

async function explorerPage(
  { db }: Pick<Services, 'db'>,
  query: (name: string) => string | null,
): Promise<PublicPage> {
  // PostgreSQL text can't hold NUL, so nothing could match.
  const text = (name: string) => (query(name) ?? '').replaceAll('\0', '');
  const q = cutWhole(text('q'), 100);
  const choices = await explorerChoices(db);
  const chosen = {
    trust: (['hardware', 'simulated'] as const).find((one) => one === text('trust')),
    // For an image no longer run by any published app, the page says that nothing matches.
    os_image: cutWhole(text('os'), 200) || undefined,
    kms: choices.kms_types.find((one) => one === text('kms')),
    gpu: text('gpu') === '1',
  };
  const rows = await listPublicApps(db, { q, ...chosen, after: pageStart(query('after')), limit: APPS });
  const shown = rows.slice(0, APPS);
  const last = rows.length > APPS ? shown.at(-1) : undefined;
  return {
    page: 'explorer',
    apps: shown.map(publicAppOut),
    q,
    chosen: {
      trust: chosen.trust ?? null,
      os_image: chosen.os_image ?? null,
      kms: chosen.kms ?? null,
      gpu: chosen.gpu,
    },
    choices,
    next: last ? cursorOfApp(last) : null,
  };
}

async function watchPage({ db, seal }: Pick<Services, 'db' | 'seal'>, token: string): Promise<PublicPage> {
  const public_id = readWatchToken(seal, token);
  const watch = public_id === null ? undefined : await findWatch(db, public_id);
  if (!watch) return { page: 'watch', watch: null, token };
  const { app_id, app_name, confirmed_at, is_published, is_simulated, email } = watch;
  return {
    page: 'watch',
    watch: {
      app_id,
      app_name: visibleText(app_name),
      is_confirmed: confirmed_at !== null,
      trust: is_published ? trustOf(is_simulated) : null,
      is_webhook: email === null,
    },
    token,
  };
}

/** A mistyped URL shows the first page. */
function pageStart(cursor: string | null): ExplorerPlace | undefined {
  try {
    return placeOfCursor(cursor ?? undefined);
  } catch {
    return undefined;
  }
}

async function appPage(
  services: Pick<Services, 'db' | 'compose'>,
  app_id: string,
  address: string,
): Promise<PublicPage> {
  try {
    return { page: 'app', app: await publicAppDetail(services, app_id, address) };
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return { page: 'not_found' };
    throw error;
  }
}

async function templatePage(
  { db, templates }: Pick<Services, 'db' | 'templates'>,
  id: string,
): Promise<PublicPage> {
  const template = await templates.find(id);
  if (!template) return { page: 'not_found' };
  return { page: 'template', template, offer: offerFor(template, await offersOf(db)) };
}

/** Returns the cheapest size for a template, priced with the disk it needs. */
const offerFor = (template: Template, offers: readonly Offer[]): Offer | null =>
  sizeForTemplate(
    template,
    offers.map((offer) => ({ ...offer, rate_micros: rateWithDisk(offer, template.resources.disk_gb) })),
    ({ rate_micros }) => rate_micros,
  ) ?? null;

const listed = (templates: readonly Template[], offers: readonly Offer[]): ListedTemplate[] =>
  templates.map((template) => ({
    ...templateSummary(template),
    license: template.license,
    offer: offerFor(template, offers),
  }));

/** Priced with the billing code. With only one size, both are the same; null without any. */
function billingExample(offers: readonly Offer[]): BillingExample | null {
  const first = offers[0];
  if (!first) return null;
  const second = offers[1] ?? first;
  const at = (time: string) => new Date(`2026-03-02T${time}Z`);
  const change = (time: string, status: string, offer: Offer): StateChange => ({
    status,
    vcpu: offer.vcpu,
    memory_mb: offer.memory_mb,
    disk_gb: offer.disk_gb,
    hourly_rate_micros: offer.rate_micros,
    gpu_rate_micros: 0,
    disk_rate_micros: 0,
    at: at(time),
    order_id: null,
    covers: null,
    covered_until: null,
  });
  const changes = [
    change('08:59:12', 'creating', first),
    change('09:00:00', 'running', first),
    change('12:00:17', 'running', second),
    change('18:30:00', 'stopped', second),
  ];
  const { lines, amount_micros } = meter(changes, {
    from: at('00:00:00'),
    to: new Date('2026-03-03T00:00:00Z'),
  });
  const shown = lines.flatMap(({ from, to, basis, ...line }): ExampleLine[] =>
    basis === 'size' || basis === 'disk'
      ? [
          {
            from: from.toISOString(),
            to: to.toISOString(),
            what:
              basis === 'disk' ? `Disk, ${line.disk_gb} GB` : line.vcpu === first.vcpu ? first.id : second.id,
            basis,
            seconds: line.seconds,
            rate_micros: line.rate_micros,
            amount_micros: line.amount_micros,
          },
        ]
      : [],
  );
  return { lines: shown, total_micros: amount_micros, first, second };
}
