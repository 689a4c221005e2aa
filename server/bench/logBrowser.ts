import { chromium, type CDPSession, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { findChromium } from '../tools/system';
import { rssMb, type LogHost } from './logHost';
import { ms, quantile, type Options, type Row } from './report';
import { hasPages, type Started } from './serverProcess';

/** Lines per second while the page fills up. */
const FILL = 25_000;

interface Given {
  server: Started;
  host: LogHost;
  session: string;
  slug: string;
  options: Options;
  seconds: number;
}

/** The logs page: followed for a while, filled, scrolled and searched. */
export async function readInBrowser({
  server,
  host,
  session,
  slug,
  options,
  seconds,
}: Given): Promise<Row[]> {
  const executablePath = findChromium();
  if (!executablePath || !hasPages('console'))
    return [{ what: 'browser', figures: executablePath ? 'the console is not built' : 'no Chromium' }];
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--enable-precise-memory-info'],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const [name = '', value = ''] = session.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: server.url }]);
    const page = await context.newPage();
    await page.addInitScript({ content: FRAMES });
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable');
    await page.goto(`${server.url}/${slug}/cvms/${host.vm_uuids[0]}/logs?source=web`);
    await page.getByRole('log').waitFor({ timeout: 30_000 });
    const rows: Row[] = [];
    const memory: string[] = [];
    const look = async (what: string) => memory.push(`${what} ${await memoryOf(cdp)}`);

    await look('first');
    const still = await page.context().newPage();
    await still.addInitScript({ content: FRAMES });
    await still.goto(`${server.url}/login`);
    const idle = await frames(still, () => wait(3_000));
    await still.close();
    rows.push({ what: 'an idle page, on this machine', figures: figuresOf(idle) });
    // Reading the memory collects garbage, which must not affect this measurement.
    const following: number[] = [];
    for (let at = 1; at <= 4; at++) {
      following.push(...(await frames(page, () => wait((seconds * 1000) / 4))));
      await look(`${Math.round((seconds * at) / 4)} s`);
    }
    rows.push({ what: 'following at 5,000 lines/s', figures: figuresOf(following), aim: 'p99 < 50 ms' });
    options.say(`followed for ${seconds} s`);

    const full = options.quick ? 150_000 : 1_000_000;
    host.rate(FILL);
    const shown = () => linesOf(page);
    for (
      const deadline = Date.now() + (full / FILL) * 4_000;
      (await shown()) < full && Date.now() < deadline;
      await wait(500)
    );
    host.rate(5_000);
    await wait(1_500);
    const lines = await shown();
    await look(`${lines.toLocaleString('en')} lines`);
    options.say(`${lines} lines on the page`);

    const log = page.getByRole('log');
    await log.hover();
    rows.push({
      what: `scrolling in ${lines.toLocaleString('en')} lines, live`,
      figures: figuresOf(
        await frames(page, async () => {
          for (let i = 0; i < 120; i++) {
            await page.mouse.wheel(0, i % 20 === 0 ? -200_000 : -900);
            await wait(25);
          }
        }),
      ),
      aim: 'p99 < 50 ms',
    });
    const search = page.getByRole('searchbox', { name: 'Search the log' });
    let took = 0;
    const searching = await frames(page, async () => {
      const began = performance.now();
      await search.pressSequentially('needle', { delay: 60 });
      const typing = performance.now() - began;
      // Every thousandth line matches. The search starts once that many are present and is done when all are counted.
      const region = page.getByRole('region', { name: /^Log of/ });
      const counted = async () =>
        Number(((await region.getByRole('status').first().textContent()) ?? '').replace(/\D/g, ''));
      while ((await counted()) < Math.floor(lines / 1_000) - 1 && performance.now() - began < 30_000)
        await wait(20);
      took = performance.now() - began - typing;
      for (let i = 0; i < 30; i++) await search.press('Enter');
    });
    rows.push({
      what: `searching ${lines.toLocaleString('en')} lines, live`,
      figures: `${figuresOf(searching)}, counted in ${ms(took)}`,
      aim: 'p99 < 50 ms',
    });
    const only = await frames(page, async () => {
      await page.getByRole('button', { name: 'Show only matching lines' }).click();
      await wait(1_500);
      await search.fill('');
      await wait(1_500);
    });
    rows.push({ what: 'show only matches, then all lines', figures: figuresOf(only), aim: 'p99 < 50 ms' });
    await look('after');
    rows.push({ what: 'page memory (JS heap / process)', figures: memory.join('; '), aim: 'flat once full' });
    return rows;
  } finally {
    await browser.close();
  }
}

async function linesOf(page: Page): Promise<number> {
  const label = (await page.getByRole('log').getAttribute('aria-label')) ?? '';
  return Number((/([\d,]+) lines/.exec(label)?.[1] ?? '0').replace(/\D/g, ''));
}

async function memoryOf(cdp: CDPSession): Promise<string> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  return `${(heap / 1e6).toFixed(0)}/${rendererMb().toFixed(0)} MB`;
}

/** The largest renderer of this machine's Chromium: the page's. */
function rendererMb(): number {
  const pids = execFileSync('sh', ['-c', 'pgrep -f -- --type=renderer || true'], { encoding: 'utf8' }).split(
    '\n',
  );
  return Math.max(0, ...pids.filter(Boolean).map((pid) => rssMb(Number(pid))));
}

/** Runs in the page: records the time between frames, from when it is enabled. */
const FRAMES = `
  window.frameTimes = null;
  const tick = (last) => requestAnimationFrame((now) => {
    if (window.frameTimes && last) window.frameTimes.push(now - last);
    tick(now);
  });
  tick(0);`;

async function frames(page: Page, work: () => Promise<void>): Promise<number[]> {
  await page.evaluate('void (window.frameTimes = [])');
  await work();
  const times = await page.evaluate<number[]>('window.frameTimes');
  await page.evaluate('void (window.frameTimes = null)');
  return times;
}

const figuresOf = (times: number[]) =>
  `frames p50 ${ms(quantile(times, 0.5))} p99 ${ms(quantile(times, 0.99))} longest ${ms(Math.max(0, ...times))}`;
