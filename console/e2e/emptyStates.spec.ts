import { expect, test } from './browser';
import { signInAs } from './staff';
import { expectAccessible, registerInBrowser, watchConsole } from './support';

test('illustrates empty pages in the colors of the theme', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'bare');
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
  expect(complaints).toEqual([]);
});

test('illustrates empty lists of the admin area by what they list', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
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
