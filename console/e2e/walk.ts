import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, expectTablesFit } from './support';

/** Opens pages in sequence and checks the requirements that apply to all of them. */

interface LayoutShiftEntry extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

export interface LayoutShift {
  sum: number;
  /** The elements that moved, for the failure message. */
  moved: string[];
}

/** Reloads the page and returns the sum of its layout shifts, once `ready` resolves and loading has settled. */
export async function layoutShift(
  page: Page,
  path: string,
  ready: () => Promise<void>,
): Promise<LayoutShift> {
  await page.goto(path);
  await ready();
  return page.evaluate(
    () =>
      new Promise<LayoutShift>((resolve) => {
        let sum = 0;
        const moved: string[] = [];
        const box = ({ x, y, width, height }: DOMRectReadOnly) =>
          [x, y, width, height].map(Math.round).join(' ');
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries as LayoutShiftEntry[]) {
            if (entry.hadRecentInput) continue;
            sum += entry.value;
            for (const { node, previousRect, currentRect } of entry.sources)
              moved.push(
                `${entry.value.toFixed(3)} at ${Math.round(entry.startTime)} ms: ${box(previousRect)} -> ` +
                  `${box(currentRect)} ${node?.nodeName} "${(node?.textContent ?? '').slice(0, 60)}"`,
              );
          }
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Settled: no request for half a second. Live streams stay open and don't count.
        let seen = performance.getEntriesByType('resource').length;
        let since = performance.now();
        const look = () => {
          const now = performance.getEntriesByType('resource').length;
          if (now !== seen) {
            seen = now;
            since = performance.now();
          }
          if (performance.now() - since < 500) return void setTimeout(look, 50);
          add(observer.takeRecords());
          observer.disconnect();
          resolve({ sum, moved });
        };
        look();
      }),
  );
}

/** Opens the aside, which starts closed at this width; pages without one have no toggle. */
export async function openAside(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: /^(Show|Hide) context$/ });
  await expect(toggle).toBeVisible();
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
}

export interface Visit {
  path: string;
  /** The start of the document title. */
  title: string;
  /** Breadcrumb labels after the team; null if the page has no breadcrumb. */
  crumbs: readonly string[] | null;
  aside: boolean;
}

/** Opens the page and checks it against the requirements for all pages. */
export async function visit(page: Page, { path, title, crumbs, aside }: Visit): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { sum, moved } = await openPage(page, path);
  expect.soft(sum, `layout shift of ${path}\n${moved.join('\n')}`).toBeLessThanOrEqual(0.05);
  await expectNames(page, { path, title, crumbs });
  await expectTitleOnce(page, path);
  if (aside) await openAside(page);
  await expect(page.getByRole('complementary', { name: 'Context' }), path).toHaveCount(aside ? 1 : 0);
  await expectNoSidewaysScroll(page);
  await expectTablesFit(page, path);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
}

type Names = Pick<Visit, 'path' | 'title' | 'crumbs'>;

/** Opens a page that was visited at another address, and expects the same page here. */
export async function openSame(page: Page, names: Names): Promise<void> {
  await openExisting(page, names.path, async (ready) => {
    await page.goto(names.path);
    await ready();
  });
  await expectNames(page, names);
  await expect(page.locator('main [aria-busy="true"]'), names.path).toHaveCount(0);
}

/** Expects the page's title and breadcrumb. */
async function expectNames(page: Page, { path, title, crumbs }: Names): Promise<void> {
  await expect(page, path).toHaveTitle(new RegExp(`^${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} · `));
  await expect(page, path).toHaveTitle(/ · Teehouse$/);
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
  if (crumbs === null) return expect(breadcrumb, path).toHaveCount(0);
  await expect(breadcrumb, path).toHaveText([/./, ...crumbs]);
  // Every step except the current page is a link.
  await expect(breadcrumb.getByRole('link'), path).toHaveCount(crumbs.length);
  await expect(breadcrumb.last().locator('[aria-current="page"]'), path).toBeVisible();
}

/** Expects that no section shows the page's title again as its heading. Hidden headings, for screen readers, may. */
export async function expectTitleOnce(page: Page, path: string): Promise<void> {
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  const same = page.getByRole('main').getByRole('heading', { name: title, exact: true });
  const shown = await same.evaluateAll((all) => all.filter(({ clientHeight }) => clientHeight > 1).length);
  expect.soft(shown, `headings of ${path}`).toBe(1);
}

/** Opens an existing page and returns its layout shift. */
export const openPage = (page: Page, path: string): Promise<LayoutShift> =>
  openExisting(page, path, (ready) => layoutShift(page, path, ready));

/** Opens an existing page with `open`, whose `ready` resolves when its heading is visible. */
async function openExisting<T>(
  page: Page,
  path: string,
  open: (ready: () => Promise<void>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    let heading = '';
    const result = await open(async () => {
      const title = page.getByRole('heading', { level: 1 }).filter({ hasNotText: /^Loading$/ });
      await expect(title, path).toBeVisible();
      heading = (await title.textContent()) ?? '';
    });
    // Starting a container changes the network interfaces, so Chromium may fail to load a script of the page.
    if (heading === 'This page stopped working' && tries < 3) continue;
    expect(heading, path).not.toMatch(/^(This page stopped working|Page not found)$/);
    return result;
  }
}
