import { openTeam, registerOn, startOwnServer, type OwnServer } from './ownServer';
import { expect, test } from './browser';
import { expectAccessible, watchConsole } from './support';

/* Uses its own server, because other specs add gateways and order products. */

let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer({ LOCAL_TEEPOD_ENGINE: 'simulate' });
});
test.afterAll(() => server?.stop());

test('illustrates empty pages in the theme’s colors, and empty lists in the admin area', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: server.url })).newPage();
  const complaints = watchConsole(page);
  // The server's first user administers it.
  await registerOn(server, page, 'bare');
  const slug = await openTeam(server, page);
  const picture = page.getByRole('main').locator('svg[viewBox="0 0 96 64"]').first();
  const stroke = () =>
    picture
      .locator('path')
      .last()
      .evaluate((path) => getComputedStyle(path).stroke);

  for (const [path, text] of [
    [`/${slug}`, 'No apps yet'],
    [`/${slug}/tokens`, 'No tokens yet'],
    [`/${slug}/members?tab=webhooks`, 'No webhooks yet'],
    [`/${slug}/members?tab=roles`, null],
    ['/account/settings?section=security', null],
    [`/${slug}?show=bin`, 'The recycle bin is empty'],
    ['/transactions', null],
    ['/usage', 'No usage in this period.'],
    ['/cost', 'No budgets yet'],
    ['/cost?tab=reservations', 'No reservations yet'],
    ['/dashboard/gpu-tee', 'No free GPUs'],
  ] as const) {
    await page.goto(path);
    if (path.endsWith('roles')) await page.getByRole('main').getByLabel('Search').fill('no such permission');
    if (text) await expect(page.getByRole('main').getByText(text)).toBeVisible();
    await expect(picture, path).toBeVisible();
    await expect(picture).toHaveAttribute('aria-hidden', 'true');
    await expectAccessible(page);
    const light = await stroke();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(stroke, path).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  for (const [path, text] of [
    ['infra/gateways', 'No gateways yet'],
    ['order-products', 'No order products yet'],
    ['finance-actions', 'No finance actions yet'],
  ] as const) {
    await page.goto(`/admin/${path}`);
    await expect(page.getByRole('main').getByText(text)).toBeVisible();
    await expect(page.getByRole('main').locator('svg[viewBox="0 0 96 64"]')).toHaveAttribute(
      'aria-hidden',
      'true',
    );
    await expectAccessible(page);
  }
  expect(complaints).toEqual([]);
});
