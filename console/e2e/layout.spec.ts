import { expect, test, type Page } from '@playwright/test';
import { deployInBrowser, IMAGE, registerInBrowser, watchConsole } from './support';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'while true; do date; sleep 1; done'
`;

/** Loads the page anew and gives the sum of its layout shifts, once `ready` is there and the page has come to rest. */
async function layoutShift(page: Page, path: string, ready: () => Promise<void>): Promise<number> {
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

test('pages do not jump while they load', async ({ page }) => {
  test.setTimeout(180_000);
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'still');
  const heading = (name: string | RegExp) => () =>
    expect(page.getByRole('main').getByRole('heading', { name }).first()).toBeVisible();

  const measured: Record<string, number> = {};
  measured['empty team'] = await layoutShift(page, `/${slug}`, heading(/./));
  const cvm = await deployInBrowser(page, slug, { name: 'still-app', compose: COMPOSE });

  measured['team home'] = await layoutShift(page, `/${slug}`, () =>
    expect(page.getByRole('main').getByRole('link', { name: 'still-app' }).first()).toBeVisible(),
  );
  measured.deploy = await layoutShift(page, `/${slug}/deploy`, () =>
    expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toBeVisible(),
  );
  for (const tab of ['', '/logs', '/events', '/compose', '/settings'])
    measured[`CVM${tab}`] = await layoutShift(page, `${cvm}${tab}`, heading('still-app'));

  for (const [name, shift] of Object.entries(measured)) expect.soft(shift, name).toBeLessThan(0.05);
  expect(complaints).toEqual([]);
});
