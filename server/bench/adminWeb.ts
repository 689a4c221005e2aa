import { chromium, type Browser, type CDPSession } from '@playwright/test';
import { sql } from 'kysely';
import { createDb } from '../db/core/client';
import { findChromium } from '../tools/system';
import { ROWS, serveBaseline, serveFolder, type Served } from './adminWebBaseline';
import { kb, median, ms, quantile, type Options, type Part, type Row } from './report';
import { seed } from './seed';
import { hasPages, removeDir, serverCommand, startServerProcess, temporaryDir } from './serverProcess';
import { open, type Opened, type PageToOpen } from './web';

const RUNS = 9;

/** Conditions for both sides: users have slower machines and networks than this one and its loopback. */
const CONDITIONS: readonly { name: string; cpu?: number; network?: Network }[] = [
  { name: 'this machine' },
  { name: 'processor ÷ 4', cpu: 4 },
  // Named fast 3G, later slow 4G, in Chromium's developer tools: 1.44 Mbit/s down, 562 ms latency per request.
  { name: 'fast 3G', network: { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 } },
];

interface Network {
  latency: number;
  /** Bytes per second. */
  downloadThroughput: number;
  uploadThroughput: number;
}

interface Side {
  name: string;
  url: string;
  session: string | null;
  target: Pick<PageToOpen, 'path' | 'shown'>;
  /** Runs in the page before its own scripts. */
  script?: string;
}

/** JavaScript for the admin area's first list and time to its 25 rows, compared with stock react-admin. */
export async function adminWeb(options: Options): Promise<Part> {
  const title = 'Admin in the browser';
  const executablePath = findChromium();
  const { built } = await serverCommand();
  if (!built || !executablePath || !hasPages('admin'))
    return { title, how: 'the apps are not built, or no Chromium is installed', rows: [] };
  const [dataDir, work] = [await temporaryDir(), await temporaryDir()];
  const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off' });
  const served: Served[] = [];
  try {
    const database = await server.database();
    const { session } = await seed(server.url, createDb(database.pool), 2);
    await sql`insert into nodes (name, region) select 'node-' || i, 'eu-west' from generate_series(1, ${ROWS + 10}::int) i`.execute(
      createDb(database.pool),
    );
    await database.stop();
    const baseline = await serveBaseline(work, server.url, session);
    served.push(baseline);
    const sides: Side[] = [
      {
        name: 'admin area',
        url: server.url,
        session,
        target: {
          path: '/admin/infra/nodes',
          shown: { selector: 'tbody a[href*="/admin/infra/nodes/"]', count: ROWS },
        },
      },
      {
        name: 'plain react-admin',
        url: baseline.url,
        session: null,
        target: { path: '/#/nodes', shown: { selector: 'tbody tr', count: ROWS } },
      },
    ];
    const demo = process.env.REACT_ADMIN_DEMO;
    if (demo) {
      const folder = await serveFolder(demo);
      served.push(folder);
      sides.push({
        name: 'react-admin demo',
        url: folder.url,
        session: null,
        target: { path: '/#/customers', shown: { selector: 'tbody tr', count: ROWS } },
        // The state after its own sign-in page; a stored view would make it a different list.
        script: "localStorage.setItem('username', 'demo')",
      });
    }
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      return { title, how: how(browser, demo), rows: await compare(browser, sides, options) };
    } finally {
      await browser.close();
    }
  } finally {
    for (const one of served) await one.close();
    await server.stop();
    await removeDir(dataDir);
    await removeDir(work);
  }
}

const how = (browser: Browser, demo: string | undefined) =>
  `Chromium ${browser.version()} with an empty cache, ${ROWS} rows, the sides in turns after one round that does not count: medians (half of the runs lie in the brackets), and how our time compares to the other's in the same round; the processor time is that of the page's main thread until the rows, which a busy machine does not change. Plain react-admin is the least it can be: <Admin>, one <Resource> with ListGuesser and ra-data-simple-rest from npm, built for production, served from memory with brotli, asking the same server for the same rows, without sign-in, permissions, our frame, counts or font. ` +
  (demo
    ? `The react-admin demo is the build in ${demo}, with its own data in the browser.`
    : "react-admin's demo is not on npm; set REACT_ADMIN_DEMO=<folder of its build> to measure it too.");

async function compare(browser: Browser, sides: readonly Side[], options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [i, condition] of CONDITIONS.entries()) {
    const opened = sides.map((): Measured[] => []);
    for (let run = options.quick ? 0 : -1; run < (options.quick ? 1 : RUNS); run++) {
      // Alternates, so that other load on the machine affects both.
      for (const [n, side] of sides.entries()) {
        const one = await openedOf(browser, side, condition);
        if (run >= 0) opened[n]?.push(one);
      }
      options.say(`${condition.name}, run ${run + 1}`);
    }
    if (i === 0) {
      rows.push(...sides.map((side, n) => bytesRow(side, n, opened[n])));
      rows.push(...sides.map((side, n) => cpuRow(side, n, opened[n] ?? [])));
    }
    rows.push(...sides.map((side, n) => timeRow(condition.name, side, opened[n] ?? [], opened[0] ?? [])));
  }
  return rows;
}

function bytesRow(side: Side, n: number, [first]: readonly Opened[] = []): Row {
  return {
    what: `JavaScript to the first list, ${side.name}`,
    figures: first ? `${kb(first.bytes)} in ${first.files} files (${kb(first.bytesQuiet)})` : 'not opened',
    ...(n === 0 ? { aim: 'no more than react-admin' } : {}),
  };
}

function cpuRow(side: Side, n: number, opened: readonly Measured[]): Row {
  const times = opened.map((one) => one.cpuMs);
  return {
    what: `page processor time, ${side.name}`,
    figures: `${ms(median(times))} ${spread(times)}`,
    ...(n === 0 ? { aim: 'no more than react-admin' } : {}),
  };
}

const spread = (times: readonly number[]) =>
  `(${quantile(times, 0.25).toFixed(0)}–${quantile(times, 0.75).toFixed(0)})`;

function timeRow(condition: string, side: Side, opened: readonly Opened[], own: readonly Opened[]): Row {
  const times = opened.map((one) => one.shownMs);
  const ratios = times.map((time, run) => (own[run]?.shownMs ?? 0) / time);
  return {
    what: `${ROWS} rows, ${condition}, ${side.name}`,
    figures: `${ms(median(times))} ${spread(times)}${opened === own ? '' : ` · ours ${median(ratios).toFixed(2)} of it`}`,
    ...(opened === own ? { aim: 'not slower than react-admin' } : {}),
  };
}

interface Measured extends Opened {
  /** Processor time of the page's main thread until the rows appeared, in ms. */
  cpuMs: number;
}

async function openedOf(
  browser: Browser,
  { url, session, target, script }: Side,
  { cpu, network }: (typeof CONDITIONS)[number],
): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  let cdp: CDPSession | undefined;
  let cpuMs = 0;
  try {
    const opened = await open(context, url, session, target, {
      before: async (page) => {
        if (script) await page.addInitScript({ content: script });
        cdp = await context.newCDPSession(page);
        await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
        if (cpu !== undefined) await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu });
        if (network) {
          await cdp.send('Network.enable');
          await cdp.send('Network.emulateNetworkConditions', { offline: false, ...network });
        }
      },
      shown: async () => {
        const found = await cdp?.send('Performance.getMetrics');
        cpuMs = 1000 * (found?.metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
      },
    });
    return { ...opened, cpuMs };
  } finally {
    await context.close();
  }
}
