import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { findChromium } from '../tools/system';
import { kb, median, ms, type Options, type Part, type Row } from './report';
import { seed } from './seed';
import { hasPages, serverCommand, withServer } from './serverProcess';

export interface PageToOpen {
  name: string;
  app: 'console' | 'admin';
  path: string;
  signedIn: boolean;
  /** Shown once this many distinct URLs (or elements) match. */
  shown: { selector: string; count: number };
  aim: string;
  /** Whether to also measure the time until it is shown. */
  timed?: string;
  /** Target for an additional measurement on a slow connection. */
  slowAim?: string;
}

const ROWS = 25;

/** JavaScript that Chromium loads until a page shows its main content, and the time to a list of 25 rows. */
export async function web(options: Options): Promise<Part> {
  const title = 'Web';
  const executablePath = findChromium();
  const { built } = await serverCommand();
  if (!built || !executablePath)
    return {
      title,
      how: built ? 'no Chromium is installed (Debian: apt-get install chromium)' : 'the apps are not built',
      rows: [],
    };
  return withServer({ LOCAL_TEEPOD: 'off' }, async ({ server, db }) => {
    const { session, slug } = await seed(server.url, db, 2 * (ROWS + 10));
    await sql`insert into nodes (name, region) select 'node-' || i, 'eu-west' from generate_series(1, ${ROWS + 10}::int) i`.execute(
      db,
    );
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const rows: Row[] = [];
      for (const page of pagesOf(slug))
        rows.push(...(await measure(browser, server.url, session, page, options)));
      return {
        title,
        how: `Chromium ${browser.version()} with an empty cache against the real server. Bytes of JavaScript as sent (brotli), requested before the page showed its main content; in brackets until the network was quiet. Times are medians from the start of the navigation.`,
        rows,
      };
    } finally {
      await browser.close();
    }
  });
}

const pagesOf = (slug: string): PageToOpen[] => [
  {
    name: '/login',
    app: 'console',
    path: '/login',
    signedIn: false,
    shown: { selector: 'input[type=password]', count: 1 },
    aim: '≤ 149.2 KB',
  },
  {
    name: `list of ${ROWS} apps`,
    app: 'console',
    path: `/${slug}`,
    signedIn: true,
    shown: { selector: 'tbody a[href*="/apps/"]', count: ROWS },
    aim: '≤ 171.2 KB',
    timed: `time to ${ROWS} rows`,
    slowAim: 'frame ≤ 1 s, content ≤ 5 s',
  },
  {
    name: 'first admin list',
    app: 'admin',
    path: '/admin/infra/nodes',
    signedIn: true,
    shown: { selector: 'tbody a[href*="/admin/infra/nodes/"]', count: ROWS },
    aim: '≤ 260 KB',
    timed: `time to ${ROWS} admin rows`,
  },
];

async function measure(
  browser: Browser,
  url: string,
  session: string,
  page: PageToOpen,
  options: Options,
): Promise<Row[]> {
  if (!hasPages(page.app)) return [{ what: `JavaScript to ${page.name}`, figures: 'not built' }];
  const opened: Opened[] = [];
  for (let i = 0; i < (page.timed && !options.quick ? 5 : 1); i++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    try {
      opened.push(await open(context, url, page.signedIn ? session : null, page));
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      return [{ what: `JavaScript to ${page.name}`, figures: `not shown: ${reason}`, aim: page.aim }];
    } finally {
      await context.close();
    }
  }
  const [first] = opened;
  if (!first) return [];
  options.say(page.name);
  const slow = page.slowAim === undefined ? undefined : await onSlow3G(browser, url, session, page);
  return [
    {
      what: `JavaScript to ${page.name}`,
      figures: `${kb(first.bytes)} in ${first.files} files (${kb(first.bytesQuiet)})`,
      aim: page.aim,
    },
    ...(page.timed ? [{ what: page.timed, figures: ms(median(opened.map((one) => one.shownMs))) }] : []),
    ...(slow
      ? [
          {
            what: `${page.name} on slow 3G`,
            figures: `frame after ${ms(slow.paintMs)}, content after ${ms(slow.shownMs)}`,
            aim: page.slowAim ?? '',
          },
        ]
      : []),
  ];
}

/** WebPageTest's "Slow 3G": 400 kbit/s each way and a round trip of 400 ms. */
const SLOW_3G = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};

/** Opens a page over a slow connection; returns when it first painted anything and when it showed its main content, ms. */
async function onSlow3G(
  browser: Browser,
  url: string,
  session: string,
  page: PageToOpen,
): Promise<{ paintMs: number; shownMs: number }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    let paintMs = 0;
    const { shownMs } = await open(context, url, page.signedIn ? session : null, page, {
      async before(tab) {
        const cdp = await context.newCDPSession(tab);
        await cdp.send('Network.enable');
        await cdp.send('Network.emulateNetworkConditions', SLOW_3G);
      },
      async shown(tab) {
        const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`;
        paintMs = await tab.evaluate<number>(paint);
      },
    });
    return { paintMs, shownMs };
  } finally {
    await context.close();
  }
}

export interface Opened {
  bytes: number;
  files: number;
  bytesQuiet: number;
  shownMs: number;
}

/** Other steps: before the page opens, and after it shows its main content. */
export interface Around {
  before?(page: Page): Promise<void>;
  shown?(page: Page): Promise<void>;
}

/** Opens a page with an empty cache; returns the JavaScript it loaded and when it showed its main content. */
export async function open(
  context: BrowserContext,
  url: string,
  session: string | null,
  { path, shown }: Pick<PageToOpen, 'path' | 'shown'>,
  around: Around = {},
): Promise<Opened> {
  if (session) {
    const [name = '', value = ''] = session.split(/=(.*)/s);
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  const scripts = await countScripts(page);
  await page.addInitScript({ content: watch(shown) });
  await around.before?.(page);
  await page.goto(url + path, { waitUntil: 'commit' });
  const shownMs = await when(page);
  const before = scripts();
  await around.shown?.(page);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  return { ...before, bytesQuiet: scripts().bytes, shownMs };
}

/** Polls until the page has shown it; waitForFunction would need an eval that the content security policy forbids. */
async function when(page: Page): Promise<number> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(20)) {
    const shownMs = await page.evaluate<number | undefined>('window.shownMs').catch(() => undefined);
    if (shownMs !== undefined) return shownMs;
  }
  throw new Error('not within 30 s');
}

/**
 * Runs in the page: records when enough elements (or different URLs) are present and painted. As
 * text, because tsx adds helpers to functions that the page does not have.
 */
const watch = ({ selector, count }: PageToOpen['shown']) => `
  const observer = new MutationObserver(() => {
    const found = [...document.querySelectorAll(${JSON.stringify(selector)})];
    const different = new Set(found.map((element) => element.getAttribute('href') ?? element));
    if (different.size < ${count}) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => (window.shownMs = performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true });`;

/** Sums script bodies as sent over the wire. */
async function countScripts(page: Page): Promise<() => { bytes: number; files: number }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const sizes = new Map<string, number>();
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (!new URL(response.url).pathname.endsWith('.js')) return;
    const length = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-length');
    sizes.set(requestId, Number(length?.[1] ?? 0));
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // Without a content length, counts everything received, including headers.
    if (sizes.get(requestId) === 0) sizes.set(requestId, encodedDataLength);
  });
  return () => ({ bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0), files: sizes.size });
}
