import { mkdir } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './support';

/** Opening pages one after the other, and what must be true of every one of them. */

/** Loads the page anew and gives the sum of its layout shifts, once `ready` is there and the page has come to rest. */
export async function layoutShift(page: Page, path: string, ready: () => Promise<void>): Promise<number> {
  await page.goto(path);
  await ready();
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // At rest: nothing was fetched for half a second. Live streams stay open and do not count.
        let seen = performance.getEntriesByType('resource').length;
        let since = performance.now();
        const look = () => {
          const now = performance.getEntriesByType('resource').length;
          if (now !== seen) {
            seen = now;
            since = performance.now();
          }
          if (performance.now() - since < 500) return requestAnimationFrame(look);
          add(observer.takeRecords());
          observer.disconnect();
          resolve(sum);
        };
        requestAnimationFrame(look);
      }),
  );
}

export interface Visit {
  path: string;
  /** The beginning of the document's title. */
  title: string;
  /** Labels of the breadcrumb behind the team; null where the page has none. */
  crumbs: readonly string[] | null;
  aside: boolean;
  /** Name of its photographs, taken when E2E_PHOTOS is set; absent where another address shows the same. */
  photo?: string;
}

const WIDTHS = [390, 1280, 1920];
const FOLDER = 'test-results/routes';

/** Opens it, and holds it against what the specification says of every page. */
export async function visit(page: Page, { path, title, crumbs, aside, photo }: Visit): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  const shift = await opened(page, path);
  expect.soft(shift, `layout shift of ${path}`).toBeLessThanOrEqual(0.05);
  await expect(page, path).toHaveTitle(new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} · `));
  await expect(page, path).toHaveTitle(/ · Teehouse$/);
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
  if (crumbs === null) await expect(breadcrumb, path).toHaveCount(0);
  else await expect(breadcrumb, path).toHaveText([/./, ...crumbs]);
  // Each step but the page itself leads somewhere.
  if (crumbs !== null) await expect(breadcrumb.getByRole('link'), path).toHaveCount(crumbs.length);
  await expect(page.getByRole('complementary', { name: 'Context' }), path).toHaveCount(aside ? 1 : 0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  if (photo !== undefined && process.env.E2E_PHOTOS) await photograph(page, photo);
}

/** Its layout shift, once it is there. */
async function opened(page: Page, path: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    let heading = '';
    const shift = await layoutShift(page, path, async () => {
      const title = page.getByRole('heading', { level: 1 }).filter({ hasNotText: /^Loading$/ });
      await expect(title, path).toBeVisible();
      heading = (await title.textContent()) ?? '';
    });
    // A container that starts changes the network of this machine, and Chromium breaks what it is loading: a part of
    // the page, then, which the page cannot do without.
    if (heading === 'This page stopped working' && tries < 3) continue;
    expect(heading, path).not.toMatch(/^(This page stopped working|There is nothing at this address)$/);
    return shift;
  }
}

/** In every width, light and dark. */
export async function photograph(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Without a choice of the person's the page follows the system's when it loads.
      await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), colorScheme);
      await page.screenshot({
        path: `${FOLDER}/${name}-${width}-${colorScheme}.png`,
        animations: 'disabled',
      });
    }
  }
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
}
