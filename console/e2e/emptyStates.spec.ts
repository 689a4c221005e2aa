import { startOwnServer, type OwnServer } from './ownServer';
import { expect, test, type Page } from './browser';
import { expectAccessible, newEmail, PASSWORD, watchConsole } from './support';

/* Lists are empty only on a server of their own: other specs add gateways and order products. */

let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer({ LOCAL_TEEPOD_ENGINE: 'simulate' });
});
test.afterAll(() => server?.stop());

/** Signs in as the server's first user, who administers it, and returns the slug of their team. */
async function signInAsFirstUser(page: Page): Promise<string> {
  const answer = await page.request.post('/api/v1/auth/register', {
    data: { email: newEmail('bare'), password: PASSWORD },
    headers: { Origin: server.url },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  await page.goto('/');
  await page.waitForURL((url) => !/^\/(register|login)?$/.test(url.pathname));
  return new URL(page.url()).pathname.split('/')[1] ?? '';
}

test('illustrates empty pages in the colors of the theme, and empty lists of the admin area', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ baseURL: server.url })).newPage();
  const complaints = watchConsole(page);
  const slug = await signInAsFirstUser(page);
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
    ['/usage', 'Nothing was used in this period.'],
    ['/cost', 'No budgets yet'],
    ['/cost?tab=reservations', 'No reservations yet'],
    ['/dashboard/gpu-tee', 'No GPU is free'],
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
